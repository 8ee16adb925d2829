/// The address of the gateway that the systems of phones open in the client's own app.
///
/// No other app can register it, unlike a scheme (RFC 8252 §7.2, §8.6).
extension Client {
    /// The path of the address, which is a redirect address once the client lists it.
    package var linkPath: String { "/app/\(id)" }

    package var hasLink: Bool { !openID.appleApps.isEmpty || !openID.androidApps.isEmpty }
}
