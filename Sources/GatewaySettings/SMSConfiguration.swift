import Cryptography
import HTTPServer
import Messages
import Settings
import Vocabulary

/// The route of text messages.
enum SMSRoute: Sendable, Equatable {
    /// No text messages are sent.
    case none
    /// Writes each message to a file in this folder; for development only.
    case directory(String)
    /// Posts each message, signed, to the operator's own address.
    case webhook(url: String, secret: Secret)
    /// Sends through Twilio, or a service with the same API.
    case twilio(TwilioSettings)
}

/// The account at Twilio.
struct TwilioSettings: Sendable, Equatable {
    let sid: String
    let token: Secret
    /// A number, or the id of a messaging service (`MG…`).
    let sender: Sender
    let base: String

    enum Sender: Sendable, Equatable {
        case number(String)
        case messagingService(String)
    }
}

/// The service that accepts text messages.
enum SMSSenderKind: String, Sendable, CaseIterable {
    case none, file, webhook, twilio
}

extension SMSRoute {
    static let keys: [ConfigurationKey] = [
        .smsSender, .smsWebhookURL, .smsWebhookSecret, .twilioAccount, .twilioToken, .twilioFrom, .twilioService,
        .twilioBase, .smsCountries,
    ]

    /// An attacker could guess a shorter secret from one signature.
    private static let shortestSecret = 32

    init(_ settings: inout SettingsReader, folder: String, in environment: DeploymentEnvironment, local: Bool) {
        let kind = settings.choice(.smsSender, else: SMSSenderKind.none)
        let webhook = Self.webhook(&settings, isNeeded: kind == .webhook, local: local)
        let twilio = TwilioSettings(&settings, isNeeded: kind == .twilio, local: local)
        switch kind {
        case .none: self = .none
        case .file:
            self = .directory(folder)
            if environment == .production { settings.complain(.smsSender, "must not be file in production") }
        case .webhook: self = webhook ?? .none
        case .twilio: self = twilio.map(Self.twilio) ?? .none
        }
    }

    private static func webhook(_ settings: inout SettingsReader, isNeeded: Bool, local: Bool) -> SMSRoute? {
        let url = settings.endpoint(.smsWebhookURL, local: local)
        let secret = settings.secret(.smsWebhookSecret)
        if let secret, secret.revealed.count < shortestSecret {
            settings.complain(.smsWebhookSecret, "must have \(shortestSecret) characters or more")
        }
        guard isNeeded else { return nil }
        if url == nil { settings.complain(.smsWebhookURL, "is missing: SMS_SENDER is webhook") }
        if secret == nil { settings.complain(.smsWebhookSecret, "is missing: SMS_SENDER is webhook") }
        guard let url, let secret else { return nil }
        return .webhook(url: url, secret: secret)
    }
}

extension CallingCodes {
    init(_ settings: inout SettingsReader) {
        guard let listed = settings.list(.smsCountries) else {
            self = .all
            return
        }
        guard let codes = CallingCodes(listed) else {
            settings.complain(.smsCountries, "must be calling codes without +, such as 49,43,41")
            self = .all
            return
        }
        self = codes
    }
}

extension TwilioSettings {
    init?(_ settings: inout SettingsReader, isNeeded: Bool, local: Bool) {
        let sid = settings.text(.twilioAccount)
        let token = settings.secret(.twilioToken)
        let sender = Self.sender(&settings)
        let base = settings.endpoint(.twilioBase, local: local)
        if let sid, !Self.isID(sid) { settings.complain(.twilioAccount, "must be letters and digits alone") }
        guard isNeeded else { return nil }
        if sid == nil { settings.complain(.twilioAccount, "is missing: SMS_SENDER is twilio") }
        if token == nil { settings.complain(.twilioToken, "is missing: SMS_SENDER is twilio") }
        if sender == nil { settings.complain(.twilioFrom, "or TWILIO_MESSAGING_SERVICE_SID is needed, and one alone") }
        guard let sid, let token, let sender, let base else { return nil }
        (self.sid, self.token, self.sender, self.base) = (sid, token, sender, base)
    }

    private static func sender(_ settings: inout SettingsReader) -> Sender? {
        let number = settings.text(.twilioFrom)
        let service = settings.text(.twilioService)
        switch (number, service) {
        case (let number?, nil):
            // A number, or an alphanumeric sender name in countries that allow it.
            if PhoneNumber(number) == nil, !isID(number) || number.utf8.count > 11 {
                settings.complain(.twilioFrom, "must be a number with its + or a name of 11 letters and digits at most")
            }
            return .number(number)
        case (nil, let service?):
            if !isID(service) { settings.complain(.twilioService, "must be letters and digits alone") }
            return .messagingService(service)
        default: return nil
        }
    }

    private static func isID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}

extension ConfigurationKey {
    static let smsSender = ConfigurationKey(
        "SMS_SENDER", .sms, .choice, default: "none", example: .set("file"),
        "The service that sends text messages: `none`, `webhook`, `twilio`, or in development `file`, which writes to MAIL_DIRECTORY."
    )
    static let smsWebhookURL = ConfigurationKey(
        "SMS_WEBHOOK_URL", .sms, .url, example: .form("https://sms.your-company.com/send"),
        "The webhook that receives each message, signed: [delivery.md](delivery.md).")
    static let smsWebhookSecret = ConfigurationKey(
        "SMS_WEBHOOK_SECRET", .sms, secret: true, example: .form("a-long-random-secret"),
        "The key of the signature, at least 32 characters.")
    static let twilioAccount = ConfigurationKey(
        "TWILIO_ACCOUNT_SID", .sms, .text, example: .form("AC00000000000000000000000000000000"), "The account's id.")
    static let twilioToken = ConfigurationKey(
        "TWILIO_AUTH_TOKEN", .sms, secret: true, example: .form("a-token"), "The account's token.")
    static let twilioFrom = ConfigurationKey(
        "TWILIO_FROM", .sms, .text, example: .form("+15005550006"),
        "The sender's number, or a name of at most 11 letters and digits.")
    static let twilioService = ConfigurationKey(
        "TWILIO_MESSAGING_SERVICE_SID", .sms, .text, example: .form("MG00000000000000000000000000000000"),
        "The messaging service, instead of TWILIO_FROM.")
    static let twilioBase = ConfigurationKey(
        "TWILIO_BASE_URL", .sms, .url, default: "https://api.twilio.com", example: .form("https://api.twilio.com"),
        "The address of another service with Twilio's API.")
    static let smsCountries = ConfigurationKey(
        "SMS_COUNTRIES", .sms, .list, shownAs: "all", example: .form("49,43,41"),
        "Calling codes without `+`. Other numbers get no text messages. `1` covers North America and the Caribbean."
    )
}
