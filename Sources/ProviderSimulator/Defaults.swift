/// What is minted when nothing else is asked for; each provider adds its values in its folder.
enum Defaults {
    /// Where minted authorization codes return to unless the order names another place.
    static let redirectURI = "https://login.example.com/callback"
}
