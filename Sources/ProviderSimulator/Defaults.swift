/// The default values of mint orders; each provider adds its own in its folder.
enum Defaults {
    /// The redirect address of minted codes unless the order names another one.
    static let redirectURI = "https://login.example.com/callback"
}
