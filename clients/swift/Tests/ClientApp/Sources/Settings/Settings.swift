/// The settings of the app.
public enum Settings {
    /// The user who signs in.
    public static let username = "ann@example.com"
}
