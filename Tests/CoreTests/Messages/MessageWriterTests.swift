import Clients
import Foundation
import JSON
import Testing
import Vocabulary

@testable import Messages

@Suite("Texts of messages")
struct MessageWriterTests {
    private static let contents: [MessageContent] =
        CodePurpose.allCases.map { .code($0, "042137", lifeSeconds: 600) } + [.accountExists, .noAccount]
        + (MessageKeys.notices.sorted() + ["something_new"]).map { .notice(kind: $0, detail: [:]) }

    private static func writer(
        _ service: String = "Ducks", url: String = "https://login.ducks.org", language: String = "en"
    ) throws -> MessageWriter {
        MessageWriter(
            texts: MessageTexts(try .bundled()), brands: MessageBrands(serviceName: service), publicURL: url,
            language: language,
            tickets: DisownTickets(keys: try TestKeys.keys("k1")))
    }

    @Test("a code mail states its purpose, its lifetime, and advice for an unrequested code")
    func letter() throws {
        let letter = try Self.writer().letter(.code(.signIn, "042137", lifeSeconds: 600), "en")
        #expect(letter.subject == "042137 is your code for Ducks")
        #expect(
            letter.textBody == """
                Your code to sign in to Ducks is

                    042137

                Enter it where you requested it. It expires in 10 min and works once.

                Don't share this code. Ducks will never ask you for it.

                If you didn't request it, ignore this message. Nobody can sign in without the code.

                You received this mail because someone entered this address at Ducks.

                """)
        #expect(letter.button == nil)
    }

    @Test(
        "a code's lifetime is shown in minutes, and in hours from two hours up",
        arguments: [
            (600, "10 min"), (60, "1 min"), (59, "1 min"), (3_600, "60 min"), (7_200, "2 h"), (86_400, "24 h"),
            (9_000, "150 min"),
        ])
    func life(seconds: Int, text: String) throws {
        let letter = try Self.writer().letter(.code(.signUp, "1", lifeSeconds: seconds), "en")
        #expect(letter.textBody.contains("It expires in \(text) and works once."))
    }

    @Test("every message has a complete text in every language", arguments: MessageLanguage.allCases)
    func complete(language: MessageLanguage) throws {
        let writer = try Self.writer()
        for content in Self.contents {
            let letter = writer.letter(content, language.rawValue)
            let sms = writer.sms(content, language.rawValue)
            #expect(letter.language == language)
            for text in [letter.subject, letter.textBody, sms] {
                #expect(text.contains("Ducks") || text == letter.textBody, "\(content) \(language)")
                #expect(!text.isEmpty && !text.contains("{") && !text.contains("}"), "\(content) \(language)")
            }
            #expect(letter.paragraphs.allSatisfy { $0 != .text("") })
        }
    }

    @Test(
        "a code is in the subject, alone in the body, and first in a text message",
        arguments: MessageLanguage.allCases)
    func code(language: MessageLanguage) throws {
        let writer = try Self.writer()
        for purpose in CodePurpose.allCases {
            let content = MessageContent.code(purpose, "042137", lifeSeconds: 600)
            let letter = writer.letter(content, language.rawValue)
            #expect(letter.subject.hasPrefix("042137"))
            #expect(letter.textBody.contains("\n    042137\n"))
            let lines = writer.sms(content, language.rawValue).split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("042137 ") == true)
            #expect(lines.last == "@login.ducks.org #042137")
        }
    }

    @Test("without https the message has no line for autofill", arguments: ["http://localhost:8080", "ducks"])
    func insecure(url: String) throws {
        let sms = try Self.writer(url: url).sms(.code(.signIn, "042137", lifeSeconds: 600), "en")
        #expect(sms == "042137 is your code to sign in to Ducks. Expires in 10 min. Don't share it.")
    }

    /// GSM 03.38, the basic table: the alphabet of a text message of 160 characters.
    private static let gsm = Set(
        "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
            + "abcdefghijklmnopqrstuvwxyzäöñüà")

    @Test(
        "text messages are short: one part in Latin letters, two in others for a code",
        arguments: MessageLanguage.allCases)
    func short(language: MessageLanguage) throws {
        let writer = try Self.writer()
        for content in Self.contents {
            let sms = writer.sms(content, language.rawValue)
            if language == .english || language == .german {
                #expect(sms.allSatisfy(Self.gsm.contains), "\(content) \(language)")
                #expect(sms.count <= 160, "\(content) \(language): \(sms.count)")
            } else {
                #expect(sms.utf16.count <= 134, "\(content) \(language): \(sms.utf16.count)")
            }
        }
    }

    static let tags: [(String?, MessageLanguage)] = [
        (nil, .german), ("", .german), ("ru", .russian), ("RU-by", .russian), ("zh", .simplifiedChinese),
        ("zh-Hant-TW", .simplifiedChinese), ("ja-JP", .japanese), ("fr", .english), ("english", .english),
        ("-", .english),
    ]

    @Test("an unknown language gets English, a missing one the service's language", arguments: tags)
    func language(tag: String?, language: MessageLanguage) throws {
        #expect(try Self.writer(language: "de").letter(.noAccount, tag).language == language)
    }

    @Test("a placeholder's value is neither markup nor a placeholder")
    func escaped() throws {
        let letter = try Self.writer("<b>&\"{code}'").letter(.code(.signUp, "042137", lifeSeconds: 600), "en")
        #expect(letter.subject == "042137 is your code for <b>&\"{code}'")
        #expect(letter.htmlBody.contains("sign up at &lt;b&gt;&amp;&quot;{code}&#39; is"))
        #expect(!letter.htmlBody.contains("<b>"))
    }

    @Test("the HTML part says what the plain part says, and loads nothing")
    func html() throws {
        for content in Self.contents {
            let letter = try Self.writer().letter(content, "ru")
            var said = [letter.heading, letter.reason]
            for case .text(let text) in letter.paragraphs { said.append(text) }
            for text in said {
                #expect(letter.htmlBody.contains(">\(text)</"), "\(content)")
                #expect(letter.textBody.contains(text), "\(content)")
            }
            #expect(letter.htmlBody.contains("<html lang=\"ru\">"))
            let links = letter.htmlBody.components(separatedBy: "href=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            #expect(links.map(String.init) == [letter.button?.address].compactMap(\.self), "\(content)")
            #expect(letter.button.map { letter.textBody.contains("\($0.label):\n\($0.address)\n") } ?? true)
            // An IPv6 address is one word, wider than a phone.
            #expect(letter.htmlBody.contains("overflow-wrap:anywhere"))
            for word in ["src=", "url(", "<script", "<form", "<link"] { #expect(!letter.htmlBody.contains(word)) }
        }
    }
}

@Suite("The look and the links of mails")
struct LetterLookTests {
    private static func writer(
        _ brand: JSONObject? = nil, app: String? = "goose app", origin: ClientOrigin = .operator
    ) throws -> MessageWriter {
        let client = Client(
            id: app ?? "", name: "Goose & Co", secret: nil, origins: [], redirectURIs: [], providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link),
            brand: try brand.flatMap { try ClientBrand(parsing: $0) },
            accessTokenLife: 600, refreshIdle: 600, refreshMaximum: 600, origin: origin)
        return MessageWriter(
            texts: MessageTexts(try .bundled()),
            brands: MessageBrands(serviceName: "Ducks") { $0 == app && app != nil ? client : nil },
            publicURL: "https://login.ducks.org", language: "en", tickets: DisownTickets(keys: try TestKeys.keys("k1")))
    }

    @Test("a mail has the name of its app, also without a brand; only a message of no app has the service's name")
    func name() throws {
        let writer = try Self.writer()
        let own = writer.letter(.code(.signUp, "042137", lifeSeconds: 600), "en", of: "goose app")
        #expect(own.subject == "042137 is your code for Goose & Co")
        #expect(own.htmlBody.contains(">Goose &amp; Co</strong>"))
        #expect(writer.letter(.noAccount, "en").subject == "No account at Ducks uses this address")
        let named = try Self.writer(["sender_name": "Geese"]).letter(.noAccount, "en", of: "goose app")
        #expect(named.subject == "No account at Geese uses this address")
    }

    @Test(
        "O-34: an app that nobody vouches for is named by no message",
        arguments: [
            ClientOrigin.registration, .document(address: "https://geese.example/app.json", freshUntil: .distantFuture),
        ])
    func stranger(origin: ClientOrigin) throws {
        let writer = try Self.writer(origin: origin)
        let contents: [MessageContent] = [
            .code(.reset, "042137", lifeSeconds: 600), .noAccount, .accountExists,
            .notice(kind: "password_changed", detail: [:]),
        ]
        for content in contents {
            let letter = writer.letter(content, "en", of: "goose app")
            #expect(letter == writer.letter(content, "en"))
            let sms = writer.sms(content, "en", of: "goose app")
            for text in [letter.subject, letter.textBody, letter.htmlBody, sms] {
                #expect(!text.lowercased().contains("goose"), "\(text)")
            }
        }
    }

    @Test("the brand's colour is that of the name, the code and the button, on light and dark grounds")
    func accent() throws {
        let writer = try Self.writer(["accent": "#1b6e3c", "accent_dark": "#9fe0b8"])
        let code = writer.letter(.code(.signIn, "042137", lifeSeconds: 600), "en", of: "goose app").htmlBody
        #expect(code.components(separatedBy: ";color:#1b6e3c").count == 2, "the code")
        #expect(code.contains("style=\"color:#1b6e3c;"), "the name")
        let notice = writer.letter(.notice(kind: "address_added", detail: [:]), "en", of: "goose app").htmlBody
        #expect(notice.contains("background-color:#1b6e3c;color:#ffffff"))
        #expect(notice.contains(".button{background-color:#9fe0b8!important;color:#000000!important}"))
    }

    @Test("the logo is the only resource, and its name is there without it")
    func logo() throws {
        let html = try Self.writer(["logo_url": "https://geese.example/logo.png"])
            .letter(.noAccount, "en", of: "goose app").htmlBody
        #expect(html.contains("src=\"https://geese.example/logo.png\" alt=\"Goose &amp; Co\""))
        #expect(html.components(separatedBy: "src=").count == 2)
    }

    @Test(
        "a notice leads to the page where its reader can act, in the reader's app",
        arguments: [
            ("password_changed", [:], "/account/sign-in-methods"),
            ("factor_added", [:], "/account/two-step"), ("passkey_added", [:], "/account/sign-in-methods"),
            ("passkey_removed", [:], "/account/sign-in-methods"),
            ("address_added", ["kind": "email"], "/account"), ("something_new", [:], "/account"),
            ("refresh_reuse", [:], "/account/devices"),
        ] as [(String, JSONObject, String)])
    func page(kind: String, detail: JSONObject, path: String) throws {
        let writer = try Self.writer()
        let (own, other) = (
            writer.letter(.notice(kind: kind, detail: detail), "en", of: "goose app"),
            writer.letter(.notice(kind: kind, detail: detail), "en")
        )
        #expect(own.button?.address == "https://login.ducks.org\(path)?client_id=goose%20app")
        #expect(other.button?.address == "https://login.ducks.org\(path)")
    }

    @Test("a mail that asks for a sign-in leads to the app's own address, or else to its sign-in page")
    func signIn() throws {
        let contents: [MessageContent] = [.accountExists, .noAccount, .invitation(name: "ann", password: "secret")]
        for content in contents {
            let own = try Self.writer(["home_url": "https://geese.example/"]).letter(content, "en", of: "goose app")
            #expect(own.button?.address == "https://geese.example/")
            let plain = try Self.writer().letter(content, "en", of: "goose app")
            #expect(plain.button?.address == "https://login.ducks.org/login?client_id=goose%20app")
        }
    }

    @Test("a used recovery code is reported with the codes left")
    func recoveryCode() throws {
        let letter = try Self.writer().letter(.notice(kind: "recovery_code_used", detail: ["left": 7]), "en")
        #expect(letter.subject == "A recovery code of your account at Ducks was used")
        #expect(letter.textBody.contains("Codes left: 7."))
    }
}

/// Only this notice and that of a merge have a link that disowns a sign-in.
@Suite("The notice of a new device")
struct NewDeviceLetterTests {
    private static let detail: JSONObject = [
        "account": "01a1fe3f-ad60-7cc1-b0f3-6f3e6f1f2b1d", "session": "01a1fe3f-b0dd-7f33-bb87-2c8c800b9858",
        "at": 1_795_264_496, "app": "Duck <Shop>", "agent": "X{service} Firefox/128.0 Linux <b>",
        "address": "2001:db8::17",
    ]

    private static func letter(
        _ detail: JSONObject, _ language: String = "en", kind: String = "new_device"
    ) throws -> (Letter, DisownTickets) {
        let tickets = DisownTickets(keys: try TestKeys.keys("k1"))
        let writer = MessageWriter(
            texts: MessageTexts(try .bundled()), brands: MessageBrands(serviceName: "Ducks"),
            publicURL: "https://login.ducks.org", language: "en",
            tickets: tickets)
        return (writer.letter(.notice(kind: kind, detail: detail), language), tickets)
    }

    @Test("it states the facts, the device in our own words, and a link that opens until 7 days after the sign-in")
    func facts() throws {
        let (letter, tickets) = try Self.letter(Self.detail)
        let texts = letter.paragraphs
        for text in [
            "When: 2026-11-21 12:34 UTC", "App: Duck <Shop>", "Device: Firefox, Linux",
            "Network address: 2001:db8::17",
        ] {
            #expect(texts.contains(.text(text)), "\(texts)")
        }
        let address = try #require(letter.button?.address)
        let ticket = String(address.dropFirst("https://login.ducks.org/not-me?ticket=".count))
        let end = Date(timeIntervalSince1970: 1_795_264_496 + 7 * 86_400)
        #expect(
            tickets.open(ticket, at: end.addingTimeInterval(-1))?.session.uuidString.lowercased()
                == "01a1fe3f-b0dd-7f33-bb87-2c8c800b9858")
        #expect(tickets.open(ticket, at: end) == nil)
        #expect(letter.htmlBody.contains("Duck &lt;Shop&gt;") && letter.htmlBody.contains("href=\"\(address)\""))
        #expect(letter.textBody.contains(":\n\(address)\n"))
    }

    @Test(
        "an unknown device is called so, and incomplete facts give no link", arguments: ["en", "de", "ja", "ru", "zh"])
    func little(language: String) throws {
        var detail = Self.detail
        detail["agent"] = "evil.example says hello"
        detail["app"] = .null
        let (letter, _) = try Self.letter(detail, language)
        #expect(!letter.textBody.contains("evil"))
        #expect(!letter.textBody.contains("Duck <Shop>"))
        #expect(language != "en" || letter.paragraphs.contains(.text("App: unknown")), "\(letter.paragraphs)")
        detail["session"] = nil
        let (bare, _) = try Self.letter(detail, language)
        #expect(!bare.textBody.contains("/not-me") && bare.paragraphs.count == 2)
    }

    @Test("3-B3: the notice of a merge has the link of a session, and none without one")
    func merge() throws {
        let (letter, tickets) = try Self.letter(Self.detail, kind: "account_absorbed")
        let address = try #require(letter.button?.address)
        let ticket = String(address.dropFirst("https://login.ducks.org/not-me?ticket=".count))
        let opened = tickets.open(ticket, at: Date(timeIntervalSince1970: 1_795_264_496))
        #expect(opened?.account.uuidString.lowercased() == "01a1fe3f-ad60-7cc1-b0f3-6f3e6f1f2b1d")
        #expect(!letter.textBody.contains("Duck <Shop>"))
        let (bare, _) = try Self.letter([:], kind: "account_absorbed")
        #expect(!bare.textBody.contains("/not-me") && bare.paragraphs.count == 2)
    }
}
