package import Settings

/// The public door: its addresses and limits.
package struct ServerConfiguration: Sendable, Equatable {
    /// `HOST`: the address to listen on.
    ///
    /// Text, default `127.0.0.1`, not secret.
    package let host: String
    /// `PORT`: the port to listen on, 0 for any free one.
    ///
    /// Number, default 8080, not secret.
    package let port: Int
    /// `PUBLIC_URL`: scheme, host and port as apps see them, without a final slash; the issuer of our tokens.
    ///
    /// URL, default `http://localhost:8080`, not secret.
    package let publicURL: String
    /// `ENVIRONMENT`: `production` refuses settings that only suit development.
    ///
    /// Choice, default `development`, not secret.
    package let environment: DeploymentEnvironment
    /// `REQUEST_TIMEOUT_SECONDS`: the time limit of one request, and of receiving its body.
    ///
    /// Seconds, default 10, not secret.
    package let requestTimeout: Duration
    /// `CLOCK_LIMIT_SECONDS`: the allowed difference between this server's clock and the database's.
    ///
    /// Number, default 60, not secret.
    package let clockLimit: Int
    /// `SHUTDOWN_SECONDS`: the time that requests in progress have after a stop signal.
    ///
    /// Seconds, default 15, not secret.
    package let shutdownTimeout: Duration
    /// `DRAIN_SECONDS`: the time after a stop signal in which the server accepts requests while readiness is false.
    ///
    /// Seconds, default 5 in production and 0 in development, not secret.
    package let drainTime: Duration
    /// `MAXIMUM_CONNECTIONS`: the limit of open connections, and of HTTP/2 streams; further streams get 503.
    ///
    /// Number, default 10000, not secret.
    let maximumConnections: Int
    /// `MAXIMUM_CONNECTIONS_PER_PEER`: the limit of open connections per peer, except trusted proxies.
    ///
    /// Number, default 1000, not secret.
    let maximumConnectionsPerPeer: Int
    /// `MAXIMUM_REQUESTS`: the limit of requests in progress; more get 503.
    ///
    /// Number, default 4096, not secret.
    let maximumRequests: Int
    /// `TRUSTED_PROXIES` and `FORWARDED_HEADER`: the proxies that report client addresses, and their header; `nil` for
    /// none.
    ///
    /// List of networks, default none, and choice, default `x-forwarded-for`; not secret.
    let forwardedClient: ForwardedClient?

    /// `TLS_CERTIFICATE_FILE` and `TLS_KEY_FILE`: the server speaks TLS itself; `nil` for plain HTTP.
    package let tls: TLSConfiguration?

    /// `HSTS_SUBDOMAINS`: whether browsers must use https for all subdomains, too.
    ///
    /// True or false, default false, not secret.
    let coversSubdomains: Bool

    /// `ATTACK_CHALLENGE`: what proves to `gateway attack` that the deployment belongs to its caller.
    ///
    /// Text, default none, not secret.
    package let attackChallenge: String?

    /// Whether apps reach us over TLS.
    package var isPubliclySecure: Bool { publicURL.hasPrefix("https://") }
}

/// The purpose of the server.
package enum DeploymentEnvironment: String, Sendable, CaseIterable {
    case development, production
}

extension ServerConfiguration {
    package static let keys: [ConfigurationKey] =
        [
            .host, .port, .publicURL, .environment, .requestTimeout, .shutdownTimeout, .drainTime,
            .maximumConnections, .maximumConnectionsPerPeer, .maximumRequests, .clockLimit, .strictSubdomains,
            .trustedProxies,
            .forwardedHeader, .attackChallenge,
        ] + TLSConfiguration.keys

    package init(_ settings: inout SettingsReader) {
        host = settings.required(.host)
        port = settings.number(.port, in: 0...65_535)
        environment = settings.choice(.environment, else: DeploymentEnvironment.development)
        tls = TLSConfiguration(&settings)
        publicURL = Self.readPublicURL(&settings, environment, speaksTLS: tls != nil)
        requestTimeout = .seconds(settings.number(.requestTimeout, in: 1...300))
        shutdownTimeout = .seconds(settings.number(.shutdownTimeout, in: 1...600))
        drainTime = .seconds(settings.number(.drainTime, in: 0...300, else: environment == .production ? 5 : 0))
        maximumConnections = settings.number(.maximumConnections, in: 16...1_000_000)
        maximumConnectionsPerPeer = settings.number(.maximumConnectionsPerPeer, in: 1...1_000_000)
        coversSubdomains = settings.flag(.strictSubdomains)
        maximumRequests = settings.number(.maximumRequests, in: 1...100_000)
        clockLimit = settings.number(.clockLimit, in: 5...3_600)
        forwardedClient = Self.readProxies(&settings)
        attackChallenge = settings.text(.attackChallenge)
    }

    private static func readProxies(_ settings: inout SettingsReader) -> ForwardedClient? {
        let header = settings.choice(.forwardedHeader, else: ForwardedHeader.xForwardedFor)
        guard let entries = settings.list(.trustedProxies) else { return nil }
        let ranges = entries.compactMap { entry -> NetworkRange? in
            if let range = NetworkRange(entry) { return range }
            settings.complain(
                .trustedProxies,
                "'\(entry)' is no address and no network such as 10.0.0.0/8, without bits behind its length")
            return nil
        }
        return ForwardedClient(proxies: ranges, header: header)
    }

    private static func readPublicURL(
        _ settings: inout SettingsReader, _ environment: DeploymentEnvironment, speaksTLS: Bool
    ) -> String {
        let text = settings.required(.publicURL)
        guard let url = EndpointURL(text), url.prefix.isEmpty else {
            settings.complain(.publicURL, "must be https://host or https://host:port, with nothing after it")
            return text
        }
        guard url.text == url.origin else {
            settings.complain(.publicURL, "must be written as browsers write it, \(url.origin)")
            return url.origin
        }
        // Without this check, a forgotten setting would run a public server without the rules of production.
        if url.isSecure, (settings.wellFormed(.environment) ?? "").isEmpty {
            settings.complain(
                .environment, "must be set where PUBLIC_URL is https: production, or development for a test system")
        }
        if !url.isSecure, environment == .production {
            settings.complain(.publicURL, "must be https in production")
        } else if !url.isSecure, !url.isLoopback {
            settings.complain(.publicURL, "must be https, save for localhost")
        } else if !url.isSecure, speaksTLS {
            settings.complain(.publicURL, "must be https, since TLS_CERTIFICATE_FILE is set")
        }
        return url.text
    }
}

extension ConfigurationKey.Group {
    static let server = Self("Server")
}

extension ConfigurationKey {
    static let host = ConfigurationKey("HOST", .server, default: "127.0.0.1", "The address to listen on.")
    static let port = ConfigurationKey(
        "PORT", .server, .number, default: "8080", "The port to listen on; 0 takes any free one.")
    package static let publicURL = ConfigurationKey(
        "PUBLIC_URL", .server, .url, default: "http://localhost:8080",
        "The public scheme, host and port, and the issuer of the gateway's tokens. https, except localhost in development."
    )
    package static let environment = ConfigurationKey(
        "ENVIRONMENT", .server, .choice, default: "development",
        "`development` or `production`; production refuses settings for development. Required if `PUBLIC_URL` is https."
    )
    static let requestTimeout = ConfigurationKey(
        "REQUEST_TIMEOUT_SECONDS", .server, .number, default: "10",
        "The limit of one request in seconds, and of the arrival of its body.")
    static let shutdownTimeout = ConfigurationKey(
        "SHUTDOWN_SECONDS", .server, .number, default: "15",
        "Seconds that requests in flight may go on after a stop signal.")
    static let drainTime = ConfigurationKey(
        "DRAIN_SECONDS", .server, .number, shownAs: "`5` in production, `0` in development", example: .form("5"),
        "Seconds after a stop signal in which the server still accepts requests. `/health/ready` is 503 then, and every answer closes its connection. Must be longer than the load balancer's check interval."
    )
    static let maximumConnections = ConfigurationKey(
        "MAXIMUM_CONNECTIONS", .server, .number, default: "10000",
        "Open connections; further ones wait in the backlog. The same limit holds for HTTP/2 streams; further ones get 503 `overloaded`."
    )
    static let maximumConnectionsPerPeer = ConfigurationKey(
        "MAXIMUM_CONNECTIONS_PER_PEER", .server, .number, default: "1000",
        "Open connections per address (IPv6: per /64); further ones are closed at once. `TRUSTED_PROXIES` are exempt."
    )
    static let strictSubdomains = ConfigurationKey(
        "HSTS_SUBDOMAINS", .server, .flag, default: "false",
        "Whether `Strict-Transport-Security` covers all names below the one in `PUBLIC_URL`.")
    static let maximumRequests = ConfigurationKey(
        "MAXIMUM_REQUESTS", .server, .number, default: "4096",
        "Concurrent requests; further ones get 503 `overloaded`.")
    static let clockLimit = ConfigurationKey(
        "CLOCK_LIMIT_SECONDS", .server, .number, default: "60",
        "Seconds by which this server's clock and the database's may differ; beyond that every request gets 503 `clock_wrong`."
    )
    package static let trustedProxies = ConfigurationKey(
        "TRUSTED_PROXIES", .server, .list, example: .form("10.0.0.0/8,fd00::/8"),
        "Addresses and networks of your own proxies, such as `10.0.0.0/8,fd00::/8`. The client address comes from their header. Unset: the client address is the peer's."
    )
    static let forwardedHeader = ConfigurationKey(
        "FORWARDED_HEADER", .server, .choice, default: "x-forwarded-for",
        "The header with the client address: `x-forwarded-for` (with `x-forwarded-proto` for https), or `forwarded` (RFC 7239). The proxies must replace or extend it."
    )
    static let attackChallenge = ConfigurationKey(
        "ATTACK_CHALLENGE", .server, example: .form("2bYtN0kV6mJ1yqkzWcF8iY3xq9m7Qe5oT4uR0aLpXsE"),
        "What `gateway attack` printed, to let it in from elsewhere: `/.well-known/login-gateway-attack` answers it.")
}
