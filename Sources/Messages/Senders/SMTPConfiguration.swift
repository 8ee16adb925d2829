package import Cryptography
import Outbound

/// The relay that takes this server's mail.
package struct SMTPConfiguration: Sendable {
    package enum Security: String, Sendable {
        /// For a relay on the same machine or network.
        case none
        /// STARTTLS (RFC 3207), required: without it nothing is sent.
        case startTLS = "starttls"
        /// TLS from the first byte (RFC 8314).
        case tls
    }

    package var host: String
    package var port: Int
    package var security: Security
    package var user: String?
    package var password: Secret?
    /// The envelope sender, which receives bounces.
    package var from: MailAddress
    /// The limit for one whole mail.
    package var timeout: Duration
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var caBundle: String?
    /// The name in EHLO; nil for the name of this machine.
    package var helloName: String?
    /// Mails beyond this number fail with ``DeliveryError/overloaded`` at once.
    package var maximumInFlight: Int

    package init(
        host: String, port: Int, security: Security, user: String? = nil, password: Secret? = nil, from: MailAddress,
        timeout: Duration = .seconds(15), caBundle: String? = nil, helloName: String? = nil, maximumInFlight: Int = 32
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.user = user
        self.password = password
        self.from = from
        self.timeout = timeout
        self.caBundle = caBundle
        self.helloName = helloName
        self.maximumInFlight = maximumInFlight
    }

    /// - Throws: `.misconfigured` naming the faulty part.
    func validated() throws(DeliveryError) -> SMTPConfiguration {
        let isLiteral = AddressLiteral.parse(host) != nil
        guard isLiteral || HostName.isValid(host) && !AddressLiteral.looksNumeric(host) else {
            throw .misconfigured("host")
        }
        guard (1...65_535).contains(port) else { throw .misconfigured("port") }
        if let helloName, !HostName.isValid(helloName) { throw .misconfigured("hello name") }
        guard (user == nil) == (password == nil) else { throw .misconfigured("user without password") }
        guard user == nil || security != .none else { throw .misconfigured("credentials without encryption") }
        if let user, user.isEmpty || user.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .misconfigured("user")
        }
        if let password, password.isEmpty || password.revealed.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .misconfigured("password")
        }
        return self
    }
}
