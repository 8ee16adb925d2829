package import Cryptography
import HTTPServer
import Messages
package import Settings

/// The routes of messages: mail through a mail server, or into files for development; text messages by ``SMSRoute``.
package struct DeliveryConfiguration: Sendable, Equatable {
    /// `MAIL_FROM`: the sender.
    ///
    /// Text, default `login@localhost`, needed in production, not secret.
    let sender: String
    let route: Route
    let sms: SMSRoute
    /// `SMS_COUNTRIES`: the calling codes of numbers that may receive text messages.
    ///
    /// List, default all, not secret.
    let smsCountries: CallingCodes
    /// `DELIVERY_EVENTS_SECRET`: the key that signs bounce reports; nil accepts none.
    ///
    /// Text, no default, secret.
    package let eventsSecret: Secret?
    /// `DEFAULT_LANGUAGE`: the language of messages to users with an unknown language.
    ///
    /// Choice, default `en`, not secret.
    let language: Language

    /// The route of mail.
    enum Route: Sendable, Equatable {
        /// Through a mail server.
        case smtp(SMTPSettings)
        /// `MAIL_DIRECTORY`: the folder for mails as files.
        ///
        /// Folder, default `var/mail`, development only, not secret.
        case directory(String)
    }
}

/// The mail server.
struct SMTPSettings: Sendable, Equatable {
    /// `SMTP_HOST`.
    ///
    /// Text, no default (mail goes to files), not secret.
    let host: String
    /// `SMTP_PORT`.
    ///
    /// Number, default 587 for starttls, 465 for tls, 25 for none, not secret.
    let port: Int
    /// `SMTP_SECURITY`.
    ///
    /// Choice, default `starttls`, not secret.
    let security: SMTPSecurity
    /// `SMTP_USER`.
    ///
    /// Text, no default (no authentication), not secret.
    let user: String?
    /// `SMTP_PASSWORD`.
    ///
    /// Text, no default, secret.
    let password: Secret?
    /// `SMTP_CA_FILE`: certificates to trust in place of the system's.
    ///
    /// File, no default, not secret.
    let certificatesFile: String?
}

/// The encryption of the connection to the mail server.
enum SMTPSecurity: String, Sendable, CaseIterable {
    case starttls, tls, none

    var standardPort: Int {
        switch self {
        case .starttls: 587
        case .tls: 465
        case .none: 25
        }
    }
}

extension DeliveryConfiguration {
    static let keys: [ConfigurationKey] =
        [
            .mailFrom, .smtpHost, .smtpPort, .smtpSecurity, .smtpUser, .smtpPassword, .smtpCertificates, .mailDirectory,
            .defaultLanguage, .deliveryEventsSecret,
        ] + SMSRoute.keys

    /// An attacker could guess a shorter secret from one signature.
    private static let shortestSecret = 32

    init(_ settings: inout SettingsReader, in environment: DeploymentEnvironment, local: Bool) {
        sender = settings.required(.mailFrom)
        language = settings.choice(.defaultLanguage, else: Language.english)
        if !Self.isAddress(sender) {
            settings.complain(.mailFrom, "must be a mail address alone, such as login@example.org")
        }
        let directory = settings.text(.mailDirectory) ?? ""
        sms = SMSRoute(
            &settings, folder: directory, in: environment, local: local && environment != .production)
        smsCountries = CallingCodes(&settings)
        eventsSecret = settings.secret(.deliveryEventsSecret)
        if let eventsSecret, eventsSecret.revealed.count < Self.shortestSecret {
            settings.complain(.deliveryEventsSecret, "must have \(Self.shortestSecret) characters or more")
        }
        let smtp = SMTPSettings(&settings)
        if smtp == nil || sms == .directory(directory), environment != .production {
            if let fault = WritableFolder.fault(of: directory) { settings.complain(.mailDirectory, fault) }
        }
        guard let smtp else {
            route = .directory(directory)
            if environment == .production { settings.complain(.smtpHost, "is missing: production needs a mail server") }
            return
        }
        route = .smtp(smtp)
        guard environment == .production else { return }
        if smtp.security == .none, NetworkAddress(smtp.host)?.isLoopback != true, smtp.host != "localhost" {
            settings.complain(.smtpSecurity, "must be starttls or tls in production")
        }
        if sender.hasSuffix("@localhost") { settings.complain(.mailFrom, "must be a real address in production") }
    }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && text.utf8.count <= 254
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"(),:;\\".utf8.contains($0) }
    }
}

extension SMTPSettings {
    init?(_ settings: inout SettingsReader) {
        let host = settings.text(.smtpHost)
        security = settings.choice(.smtpSecurity, else: SMTPSecurity.starttls)
        port = settings.number(.smtpPort, in: 1...65_535, else: security.standardPort)
        user = settings.text(.smtpUser)
        password = settings.secret(.smtpPassword)
        certificatesFile = settings.text(.smtpCertificates)
        guard let host else { return nil }
        self.host = host
        if !ValueShape.isPlainEntry(host) { settings.complain(.smtpHost, "must be a host name") }
        if (user == nil) != (password == nil) {
            settings.complain(
                user == nil ? .smtpUser : .smtpPassword, "is missing: SMTP_USER and SMTP_PASSWORD go together")
        }
        if user != nil, security == .none {
            settings.complain(.smtpSecurity, "must be starttls or tls where SMTP_USER is set")
        }
        if let certificatesFile, SecretFile.contents(of: certificatesFile) == nil {
            settings.complain(.smtpCertificates, "\(certificatesFile) \(SecretFile.fault(of: certificatesFile))")
        }
    }
}

extension ConfigurationKey {
    package static let mailFrom = ConfigurationKey(
        "MAIL_FROM", .delivery, default: "login@localhost", "The sender address of mails; production needs a real one.")
    package static let smtpHost = ConfigurationKey(
        "SMTP_HOST", .delivery, shownAs: "mail goes to files", example: .form("smtp.your-company.com"),
        "The mail server; production needs one.")
    static let smtpPort = ConfigurationKey(
        "SMTP_PORT", .delivery, .number, shownAs: "587 for starttls, 465 for tls, 25 for none", example: .form("587"),
        "The mail server's port.")
    static let smtpSecurity = ConfigurationKey(
        "SMTP_SECURITY", .delivery, .choice, default: "starttls", example: .form("starttls"),
        "`starttls`, `tls`, or `none` for a server on this machine.")
    package static let smtpUser = ConfigurationKey(
        "SMTP_USER", .delivery, .text, example: .form("login"), "The user name at the mail server.")
    package static let smtpPassword = ConfigurationKey(
        "SMTP_PASSWORD", .delivery, secret: true, example: .form("a-password"), "The password of that user.")
    static let smtpCertificates = ConfigurationKey(
        "SMTP_CA_FILE", .delivery, .file, shownAs: "the system's", example: .form("/etc/ssl/certs/mail.pem"),
        "Certificates (PEM) to trust for the mail server.")
    static let mailDirectory = ConfigurationKey(
        "MAIL_DIRECTORY", .delivery, .file, default: "var/mail",
        "Without SMTP_HOST, each mail becomes a file here. Development only.")
    static let defaultLanguage = ConfigurationKey(
        "DEFAULT_LANGUAGE", .delivery, .choice, default: "en",
        "The language of messages to users with an unknown language: `en`, `zh-Hans`, `ja`, `ru` or `de`.")
    static let deliveryEventsSecret = ConfigurationKey(
        "DELIVERY_EVENTS_SECRET", .delivery, secret: true, example: .form(""),
        "The secret that signs bounce reports, at least 32 characters: [delivery.md](delivery.md#bounces). Unset: all reports are refused."
    )
}
