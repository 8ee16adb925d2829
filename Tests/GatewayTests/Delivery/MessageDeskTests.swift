import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("The texts of messages by the admin API", .gateway())
struct MessageDeskTests {
    private func change(_ id: String, _ texts: JSON, language: String = "en") async throws -> TestAnswer {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        return try await gateway.admin(
            "PATCH", "messages/\(id)",
            ["language": .string(language), "texts": texts, "reason": "a friendlier tone"], by: admin)
    }

    @Test("every message is listed with its title, and shown with its defaults and placeholders")
    func list() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let list = try await gateway.admin("GET", "messages?language=de", by: viewer)
        #expect(list.status == 200, "\(list.text)")
        let messages = list.json["messages"]?.array ?? []
        let reset = try #require(messages.first { $0["id"] == "code-reset" })
        #expect(reset["title"]?.string?.contains("neues Passwort") == true && reset["changed"] == [])
        for id in messages.compactMap({ $0["id"]?.string }) {
            let shown = try await gateway.admin("GET", "messages/\(id)?language=de", by: viewer)
            #expect(shown.status == 200 && shown.json["texts"]?.array?.isEmpty == false, "\(id)")
        }
        let shown = try await gateway.admin("GET", "messages/code-reset", by: viewer)
        let subject = try #require(shown.json["texts"]?.array?.first)
        #expect(subject["placeholders"] == ["code", "service"] && subject["text"] == subject["default"])
        #expect(subject["shared_with"]?.array?.contains("code-sign-in") == true)
        #expect(try await gateway.admin("GET", "messages/code-none", by: viewer).status == 404)
        #expect(try await gateway.admin("GET", "messages/code-reset?language=fr", by: viewer).status == 400)
    }

    @Test("a changed text is sent within a second or two, in its language only, and a reset restores the default")
    func life() async throws {
        let gateway = try GatewayProcess.current
        let changed = try await change(
            "account-exists", ["account_exists.subject": "Willkommen zurück bei {service}"], language: "de")
        #expect(changed.status == 200, "\(changed.text)")
        let row = try #require(try await gateway.audit(changed).first { $0.action == "message_changed" })
        #expect(row.detail?["after"]?["account_exists.subject"] == "Willkommen zurück bei {service}")
        try await expectSubject("Willkommen zurück bei ")
        #expect(try await subject("en").hasPrefix("You already have an account at "))
        let admin = try await gateway.operatorSession("admin")
        let reset = try await gateway.admin(
            "POST", "messages/account-exists/reset", ["language": "de", "reason": "as before"], by: admin)
        #expect(reset.status == 200, "\(reset.text)")
        try await expectSubject("Sie haben schon")
        let again = try await gateway.admin(
            "POST", "messages/account-exists/reset", ["language": "de", "reason": "as before"], by: admin)
        #expect(again.code == "nothing_to_change")
    }

    /// Sends German mails until one has the subject, because each server reads a change a moment later.
    private func expectSubject(_ start: String) async throws {
        var last = ""
        for _ in 0..<20 where !last.hasPrefix(start) { last = try await subject("de") }
        #expect(last.hasPrefix(start))
    }

    /// The subject of the mail to an address with an account.
    private func subject(_ language: String) async throws -> String {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let mails = gateway.mails(to: email).count
        let request = TestRequest("POST", "/v1/sign-up").json([
            "client_id": "app", "username": .string(email), "password": .string(GatewayProcess.password),
        ])
        _ = try await gateway.send(request.header("Accept-Language", language))
        return try await poll { gateway.mails(to: email).dropFirst(mails).first?.subject }
    }

    @Test(
        "an unfit text is refused with its pointer, and nothing is stored",
        arguments: [
            ("code.subject", "Welcome", "code_required"), ("code.subject", "{code} {phone}", "unknown_placeholder"),
            ("code.once", "", "malformed"), ("code.once", "{", "malformed"), ("code.once", "a\u{202E}b", "malformed"),
            ("code.once", "two\nlines", "malformed"),
            ("code.once", String(repeating: "a", count: 501), "too_long"), ("notice.advice", "Hello", "unknown"),
        ])
    func unfit(_ key: String, _ text: String, _ reason: String) async throws {
        let gateway = try GatewayProcess.current
        let answer = try await change("code-sign-up", .object([key: .string(text)]))
        #expect(answer.status == 400, "\(answer.text)")
        #expect(answer.json["errors"]?.array?.first?["pointer"]?.string == "/texts/\(key)")
        #expect(answer.json["errors"]?.array?.first?["code"]?.string == reason)
        #expect(try await gateway.count("select count(*) from message_texts where key = \(key)") == 0)
    }

    @Test("3-B10: only an owner puts a link into a text or into the brand of an app's mails")
    func links() async throws {
        let gateway = try GatewayProcess.current
        let (admin, owner) = (try await gateway.operatorSession("admin"), try await gateway.operatorSession("owner"))
        let id = "linking-\(Fresh.text())"
        try await gateway.addClient(id, secret: nil)
        for text in ["see https://evil.example/", "see WWW.evil.example", "see evil.example/reset", "evil。example"] {
            let sent: JSON = [
                "language": "ja", "texts": ["account_exists.advice": .string(text)], "reason": "a new text",
            ]
            let refused = try await gateway.admin("PATCH", "messages/account-exists", sent, by: admin)
            try await gateway.expectRefusal(refused, 403, "role_too_low", action: "change_messages")
            #expect(try await gateway.count("select count(*) from message_texts where language = 'ja'") == 0)
            let made = try await gateway.admin("PATCH", "messages/account-exists", sent, by: owner)
            #expect(made.status == 200, "\(made.text)")
            _ = try await gateway.admin(
                "POST", "messages/account-exists/reset", ["language": "ja", "reason": "as before"], by: admin)
        }
        for change: JSON in [
            ["brand": ["support_url": "https://evil.example/"]], ["brand": ["home_url": "https://evil.example/home"]],
            ["brand": ["sender_name": "www.evil.example"]],
            ["name": "https://evil.example"],
        ] {
            var sent = change.object ?? [:]
            sent["reason"] = "a new look"
            let refused = try await gateway.admin("PATCH", "clients/\(id)", .object(sent), by: admin)
            #expect(refused.status == 403 && refused.code == "role_too_low", "\(refused.text)")
            let made = try await gateway.admin("PATCH", "clients/\(id)", .object(sent), by: owner)
            #expect(made.status == 200, "\(made.text)")
        }
        let bidi = try await gateway.admin(
            "PATCH", "clients/\(id)", ["name": "a\u{202E}b", "reason": "a new look"], by: owner)
        #expect(bidi.status == 400, "\(bidi.text)")
        // Links that an owner allowed may stay in another change.
        _ = try await gateway.admin(
            "PATCH", "clients/\(id)",
            ["name": "Ducks", "brand": ["terms_url": "https://ducks.example/t"], "reason": "a new look"], by: owner)
        let kept = try await gateway.admin(
            "PATCH", "clients/\(id)",
            ["brand": ["terms_url": "https://ducks.example/t", "accent": "#1b6e3c"], "reason": "a new look"], by: admin)
        #expect(kept.status == 200, "\(kept.text)")
    }

    @Test("a viewer sees messages and previews, and can't change them")
    func roles() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let preview = try await gateway.admin(
            "POST", "messages/code-sign-in/preview",
            ["texts": ["code.sign_in.lead": "<b>Enter</b> this at {service}"]], by: viewer)
        #expect(preview.json["text"]?.string?.hasPrefix("<b>Enter</b> this at ") == true, "\(preview.text)")
        #expect(preview.json["html"]?.string?.contains("&lt;b&gt;Enter&lt;/b&gt;") == true)
        for call in ["reset", "test"] {
            let refused = try await gateway.admin(
                "POST", "messages/code-sign-in/\(call)", ["reason": "a friendlier tone"], by: viewer)
            #expect(refused.code == "role_too_low", "\(call): \(refused.text)")
        }
    }

    @Test("a test mail goes to the operator's own main address")
    func test() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let account = admin.account
        let address: String? = try await gateway.sql { connection in
            try connection.queryOne(
                "select address from account_emails where account_id = \(account)::uuid and is_main")?.value(0)
        }
        let email = try #require(address)
        let before = gateway.mails(to: email).count
        let sent = try await gateway.admin(
            "POST", "messages/notice-password-changed/test", ["reason": "a friendlier tone"], by: admin)
        #expect(sent.status == 204, "\(sent.text)")
        let subject = try await poll { gateway.mails(to: email).dropFirst(before).first?.subject }
        #expect(subject.hasPrefix("Your password at "))
        let text = try await gateway.admin(
            "POST", "messages/notice-password-changed/test", ["medium": "sms", "reason": "a friendlier tone"],
            by: admin)
        #expect(text.status == 400 && text.text.contains("no_address"), "\(text.text)")
        // Here no service sends text messages, so nothing may wait in the outbox.
        let phone = Fresh.phone()
        try await gateway.change(
            """
            insert into account_phones (account_id, phone_key, source, proved_at)
            values (\(account)::uuid, \(phone), 'person', now())
            """)
        let unsent = try await gateway.admin(
            "POST", "messages/notice-password-changed/test", ["medium": "sms", "reason": "a friendlier tone"],
            by: admin)
        #expect(unsent.status == 400 && unsent.text.contains("not_delivered"), "\(unsent.text)")
        #expect(try await gateway.count("select count(*) from outbox where address = \(phone)") == 0)
    }

    @Test("the brand of an app gives its mails the sender name, the logo and the links")
    func brand() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let id = "branded-\(Fresh.text())"
        let brand: JSON = [
            "sender_name": "Duck & Goose", "logo_url": "https://ducks.example.com/logo.png", "accent": "#1b6e3c",
            "terms_url": "https://ducks.example.com/terms",
        ]
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                insert into clients (id, name, origins, redirect_uris, providers, sign_up_names, brand)
                values (\(id), 'Ducks', '{}', '{}', '{password}', '{email}', \(JSONText(brand.text))::jsonb)
                """)
        }
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        let email = Fresh.email()
        let begun = try await gateway.send(
            TestRequest("POST", "/v1/sign-up").json([
                "client_id": .string(id), "username": .string(email), "password": .string(GatewayProcess.password),
            ]))
        #expect(begun.status == 200, "\(begun.text)")
        let mail = try await poll { gateway.mails(to: email).first }
        #expect(mail.subject.hasSuffix(" is your code for Duck & Goose"))
        // RFC 2047: the name is an encoded word in front of the address.
        let name = Data("Duck & Goose".utf8).base64EncodedString()
        #expect(mail.sender.hasPrefix("=?UTF-8?B?\(name)?= <"), "\(mail.text)")
        #expect(
            mail.decoded.contains("https://ducks.example.com/logo.png")
                && mail.decoded.contains("Terms: https://ducks.example.com/terms"))
        let preview = try await gateway.admin(
            "POST", "messages/notice-new-device/preview", ["client_id": .string(id)], by: admin)
        #expect(preview.json["html"]?.string?.contains("background-color:#1b6e3c") == true, "\(preview.text)")
        let unknown = try await gateway.admin(
            "POST", "messages/notice-new-device/preview", ["client_id": "nobody"], by: admin)
        #expect(unknown.status == 400)
    }
}
