import Cryptography
import Testing

@testable import GatewaySettings
@testable import HTTPServer
@testable import Messages

@Suite("The configuration of text messages")
struct SMSConfigurationTests {
    private static let webhook = [
        "SMS_SENDER": "webhook", "SMS_WEBHOOK_URL": "https://sms.ducks.org/send",
        "SMS_WEBHOOK_SECRET": "0123456789abcdef0123456789abcdef",
    ]
    private static let twilio = [
        "SMS_SENDER": "twilio", "TWILIO_ACCOUNT_SID": "AC0123", "TWILIO_AUTH_TOKEN": "hush",
        "TWILIO_FROM": "+15005550006",
    ]

    @Test("none are sent without a configured way")
    func none() throws {
        #expect(try Configurations.read().delivery.sms == .none)
        #expect(try Configurations.read().delivery.language == .english)
    }

    @Test("each way is read with its settings")
    func ways() throws {
        #expect(try Configurations.read(["SMS_SENDER": "file"]).delivery.sms == .directory("var/mail"))
        let secret = Secret("0123456789abcdef0123456789abcdef")
        #expect(
            try Configurations.read(Self.webhook).delivery.sms
                == .webhook(url: "https://sms.ducks.org/send", secret: secret))
        let number = TwilioSettings(
            sid: "AC0123", token: Secret("hush"), sender: .number("+15005550006"), base: "https://api.twilio.com")
        #expect(try Configurations.read(Self.twilio).delivery.sms == .twilio(number))
        let service = TwilioSettings(
            sid: "AC0123", token: Secret("hush"), sender: .messagingService("MG9"), base: "https://eu.ducks.org")
        let changes = [
            "TWILIO_FROM": "", "TWILIO_MESSAGING_SERVICE_SID": "MG9", "TWILIO_BASE_URL": "https://eu.ducks.org",
        ]
        #expect(try Configurations.read(Self.twilio.merging(changes) { $1 }).delivery.sms == .twilio(service))
    }

    static let wrong: [([String: String], String, String)] = [
        (["SMS_SENDER": "pigeon"], "SMS_SENDER", ""),
        (["SMS_SENDER": "webhook"], "SMS_WEBHOOK_URL", "SMS_WEBHOOK_SECRET"),
        (webhook.merging(["SMS_WEBHOOK_URL": "http://sms.ducks.org"]) { $1 }, "SMS_WEBHOOK_URL", ""),
        (webhook.merging(["SMS_WEBHOOK_URL": "https://10.0.0.1/send"]) { $1 }, "SMS_WEBHOOK_URL", ""),
        (webhook.merging(["SMS_WEBHOOK_SECRET": "0123456789abcdef0123456789abcde"]) { $1 }, "SMS_WEBHOOK_SECRET", ""),
        (["SMS_SENDER": "twilio", "TWILIO_FROM": "Ducks"], "TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"),
        (twilio.merging(["TWILIO_FROM": ""]) { $1 }, "TWILIO_FROM", ""),
        (twilio.merging(["TWILIO_MESSAGING_SERVICE_SID": "MG9"]) { $1 }, "TWILIO_FROM", ""),
        (twilio.merging(["TWILIO_FROM": "15005550006x"]) { $1 }, "TWILIO_FROM", ""),
        (twilio.merging(["TWILIO_ACCOUNT_SID": "AC/../x"]) { $1 }, "TWILIO_ACCOUNT_SID", ""),
        (["DEFAULT_LANGUAGE": "fr"], "DEFAULT_LANGUAGE", ""), (["SMS_COUNTRIES": ""], "SMS_COUNTRIES", ""),
        (["SMS_COUNTRIES": "+49"], "SMS_COUNTRIES", ""), (["SMS_COUNTRIES": "49,DE"], "SMS_COUNTRIES", ""),
        (["SMS_COUNTRIES": "049"], "SMS_COUNTRIES", ""),
        (["DELIVERY_EVENTS_SECRET": "0123456789abcdef0123456789abcde"], "DELIVERY_EVENTS_SECRET", ""),
        (["THROTTLE_SMS_ADDRESS_PER_HOUR": "0"], "THROTTLE_SMS_ADDRESS_PER_HOUR", ""),
        (["THROTTLE_SMS_CLIENT_PER_HOUR": "0"], "THROTTLE_SMS_CLIENT_PER_HOUR", ""),
    ]

    @Test("missing and malformed settings are errors, and no secret is shown", arguments: wrong)
    func complaints(changes: [String: String], first: String, second: String) {
        let complaints = Configurations.complaints(changes.mapValues { $0 })
        #expect(complaints.map { String($0.prefix { $0 != ":" }) } == [first, second].filter { !$0.isEmpty })
        #expect(!complaints.joined().contains("hush") && !complaints.joined().contains("0123456789abcdef"))
    }

    @Test("by default, all countries are served and no reports are accepted")
    func limits() throws {
        let standard = try Configurations.read()
        #expect(standard.delivery.smsCountries == .all && standard.delivery.eventsSecret == nil)
        #expect(standard.throttles.smsAddressPerHour == 60 && standard.throttles.smsClientPerHour == 2_000)
        #expect(standard.throttles.wrongAddressPerHour == 60)
        let secret = "0123456789abcdef0123456789abcdef"
        let set = try Configurations.read(["SMS_COUNTRIES": "49, 43", "DELIVERY_EVENTS_SECRET": secret]).delivery
        #expect(set.smsCountries == CallingCodes(["49", "43"]) && set.eventsSecret == Secret(secret))
    }

    @Test("with an https public address, Twilio gets the status address")
    func twilioCallback() throws {
        let secure = try Configurations.read(
            Self.twilio.merging(["PUBLIC_URL": "https://ducks.org", "ENVIRONMENT": "development"]) { $1 })
        #expect(secure.twilioCallback?.url == "https://ducks.org/v1/events/twilio")
        #expect(try Configurations.read(Self.twilio).twilioCallback == nil)
        #expect(
            try Configurations.read(["PUBLIC_URL": "https://ducks.org", "ENVIRONMENT": "development"]).twilioCallback
                == nil)
    }

    @Test("files are for development only")
    func production() {
        let complaints = Configurations.complaints(["SMS_SENDER": "file"], base: Configurations.production)
        #expect(complaints.map { $0.hasPrefix("SMS_SENDER: ") } == [true], "\(complaints)")
    }

    @Test("A-20: text messages to every country cause a warning in production")
    func everyCountry() throws {
        func warnings(_ changes: [String: String], base: [String: String]) throws -> [String] {
            try Configurations.read(Self.twilio.merging(changes) { $1 }, base: base).warnings
        }
        let open = try warnings([:], base: Configurations.production)
        #expect(open.map { $0.hasPrefix("SMS_COUNTRIES ") } == [true], "\(open)")
        #expect(try warnings(["SMS_COUNTRIES": "49"], base: Configurations.production) == [])
        #expect(try warnings([:], base: Configurations.needed) == [])
    }

    @Test("messages are written in the languages of the pages")
    func languages() {
        #expect(Language.allCases.map(\.rawValue) == MessageLanguage.allCases.map(\.rawValue))
    }
}
