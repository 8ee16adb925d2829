/// The origins of pages on the developer's own machine, which a gateway for development takes unregistered.
enum LocalOrigin {
    /// Whether it is `localhost`, `127.0.0.1` or `[::1]` with any port, as browsers write it.
    static func matches(_ origin: String) -> Bool {
        let plain = origin.hasPrefix("https://") ? "http" + origin.dropFirst("https".count) : origin
        guard let address = RedirectURI(plain + "/"), address.origin == plain else { return false }
        return address.kind == .localhost || address.kind == .loopback
    }
}

extension Client {
    /// Whether pages of this origin may call with the client, and read the session of its cookie.
    package func takes(origin: String) -> Bool {
        origins.contains(origin) || takesLocalOrigins && LocalOrigin.matches(origin)
    }
}
