import Foundation
import JSON
import Postgres
import Testing

/// Sign-up with a client's requirements: names, numbers, attributes, with and without a password.
@Suite(.gateway(["SMS_SENDER": "file"]))
struct SignUpPageTests {
    private func browser(_ client: SigningUpClient, _ parameters: String = "") async throws -> PageBrowser {
        let id = try await client.add(try GatewayProcess.current)
        return try await PageBrowser.open(try GatewayProcess.current, "/sign-up?client_id=\(id)\(parameters)")
    }

    /// The form with typed values, including fields that a browser would omit.
    private func send(_ typed: [(String, String)], _ browser: PageBrowser) async throws -> TestAnswer {
        let form = try #require(browser.page.forms.first { $0.action == "/sign-up" }, "\(browser.page.text)")
        let names = Set(typed.map(\.0))
        let kept = form.fields.filter { !names.contains($0.0) && !$0.0.hasPrefix("attribute.") }
        return try await browser.post("/sign-up", kept + typed)
    }

    @Test("A number is proved by the texted code")
    func phone() async throws {
        let gateway = try GatewayProcess.current
        let phone = Fresh.phone()
        let browser = try await browser(SigningUpClient(names: ["phone"]))
        let asked = try await send([("phone", phone), ("password", GatewayProcess.password)], browser)
        #expect(asked.text.contains("Check your phone"))
        // This browser typed it.
        #expect(asked.text.contains("<bdi>\(phone)</bdi>"))
        let wrong = try await browser.submit("/sign-up/confirm", ["code": "no"])
        #expect(wrong.text.contains("Check your phone"))
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.textedCode(to: phone)])
        #expect(browser.cookies["__Host-session"] != nil)
        #expect(
            try await gateway.count(
                "select count(*) from account_phones where phone_key = \(phone) and proved_at is not null")
                == 1)
    }

    @Test("A user name without an address becomes an account at once, and signs in")
    func userName() async throws {
        let name = "Ann.\(Fresh.text())"
        let browser = try await browser(SigningUpClient(names: ["user_name"]))
        _ = try await send([("username", name), ("password", GatewayProcess.password)], browser)
        #expect(browser.page.status == 200)
        #expect(browser.cookies["__Host-session"] != nil)
        try await browser.submit("/logout")
        #expect(browser.cookies["__Host-session"] == nil)
        try await browser.visit("/login")
        try await browser.passwordSignIn(name.lowercased(), GatewayProcess.password)
        #expect(browser.cookies["__Host-session"] != nil)
    }

    @Test("A user name with an address becomes an account once the address is proved")
    func userNameAndAddress() async throws {
        let gateway = try GatewayProcess.current
        let (name, email) = ("ann.\(Fresh.text())", Fresh.email())
        let browser = try await browser(SigningUpClient(names: ["user_name"]))
        _ = try await send([("username", name), ("email", email), ("password", GatewayProcess.password)], browser)
        #expect(browser.cookies["__Host-session"] == nil)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(browser.page.text.contains(email))
        #expect(try await gateway.count("select count(*) from accounts where user_name = \(name)") == 1)
    }

    @Test("A taken user name gets an error at its field; the input stays, except the password")
    func takenName() async throws {
        let client = SigningUpClient(names: ["user_name"], attributes: [("shoe_size", "number", true)])
        let name = "ann.\(Fresh.text())"
        _ = try await send(
            [("username", name), ("password", GatewayProcess.password), ("attribute.shoe_size", "42")],
            try await browser(client))
        let second = try await browser(client)
        let answer = try await send(
            [
                ("username", name.uppercased()), ("password", "another heron over it"), ("display_name", "Ann & Lee"),
                ("attribute.shoe_size", "41.5"),
            ], second)
        #expect(answer.status == 409)
        #expect(answer.text.contains("This user name is taken."))
        let fields = Dictionary(
            answer.forms.first { $0.action == "/sign-up" }?.fields ?? [], uniquingKeysWith: { first, _ in first })
        #expect(fields["username"] == name.uppercased())
        #expect(fields["display_name"] == "Ann & Lee")
        #expect(fields["attribute.shoe_size"] == "41.5")
        #expect(fields["password"] == "")
        #expect(!answer.text.contains("another heron"))
        #expect(try await GatewayProcess.current.audit(answer).map(\.reason) == ["user_name_taken"])
    }

    @Test("A user name taken before its code is confirmed gets an error page with a link back")
    func lostName() async throws {
        let gateway = try GatewayProcess.current
        let (name, email) = ("ann.\(Fresh.text())", Fresh.email())
        let client = SigningUpClient(names: ["user_name"])
        let slow = try await browser(client)
        _ = try await send([("username", name), ("email", email), ("password", GatewayProcess.password)], slow)
        _ = try await send(
            [("username", name), ("password", GatewayProcess.password)], try await browser(client))
        let answer = try await slow.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(answer.status == 409)
        #expect(answer.text.contains("The user name is taken"))
        #expect(answer.links.contains { $0.hasPrefix("/sign-up?client_id=") })
        #expect(slow.cookies["__Host-session"] == nil)
    }

    @Test("Without a password the code signs in, if the client allows it")
    func withoutPassword() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await browser(SigningUpClient(names: ["email"]))
        #expect(browser.page.text.contains("id=\"create-without-password\""))
        let forgotten = try await send([("email", email)], browser)
        #expect(forgotten.text.contains("Enter a password."))
        _ = try await send([("email", email), ("without", "password")], browser)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(browser.cookies["__Host-session"] != nil)
        #expect(
            try await gateway.count(
                "select count(*) from passwords natural join account_emails where address = \(email)") == 0)
    }

    @Test("A client without passwords asks for none, and one without codes requires a password")
    func oneOfTheTwo() async throws {
        let gateway = try GatewayProcess.current
        let codes = try await browser(SigningUpClient(names: ["email"], providers: ["email_otp"]))
        #expect(!codes.page.text.contains("id=\"password\""))
        let email = Fresh.email()
        _ = try await send([("email", email)], codes)
        try await codes.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(codes.cookies["__Host-session"] != nil)
        let passwords = try await browser(SigningUpClient(names: ["email"], providers: ["password"]))
        #expect(!passwords.page.text.contains("id=\"create-without-password\""))
        let refused = try await send([("email", Fresh.email()), ("without", "password")], passwords)
        #expect(refused.status == 400)
        #expect(passwords.cookies["__Host-session"] == nil)
    }

    @Test("the page shows the providers of the sign-in page, alone if the app has no sign-up by name")
    func providers() async throws {
        let links = [
            (["google", "password"], ["google"], true), (["google"], ["google"], false), (["passkey"], [], false),
        ]
        for (allowed, shown, hasForm) in links {
            let page = try await browser(SigningUpClient(names: ["email"], providers: allowed)).page
            #expect(page.status == (shown.isEmpty && !hasForm ? 403 : 200))
            #expect(page.forms.isEmpty == !hasForm)
            #expect(shown.allSatisfy { page.text.contains("id=\"provider-\($0)\"") }, "\(page.text)")
            #expect(!page.text.contains("id=\"provider-apple\""))
            #expect(page.text.contains("id=\"no-sign-up\"") == (shown.isEmpty && !hasForm))
        }
    }

    @Test("A user name without a password asks for an address to send codes to")
    func userNameWithCodes() async throws {
        let gateway = try GatewayProcess.current
        let (name, email) = ("ann.\(Fresh.text())", Fresh.email())
        let browser = try await browser(SigningUpClient(names: ["user_name"]))
        let refused = try await send([("username", name), ("without", "password")], browser)
        #expect(refused.text.contains("Enter your e-mail address."))
        _ = try await send([("username", name), ("email", email), ("without", "password")], browser)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(browser.cookies["__Host-session"] != nil)
    }

    @Test("A link switches to another kind of name and keeps the app's request")
    func otherName() async throws {
        let gateway = try GatewayProcess.current
        let phone = Fresh.phone()
        let browser = try await browser(
            SigningUpClient(names: ["email", "phone"]),
            "&redirect_uri=http%3A%2F%2F127.0.0.1%2Fback&state=s%26t"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&ui_locales=de")
        let link = try #require(browser.page.links.first { $0.contains("with=phone") })
        try await browser.visit(link)
        #expect(browser.page.text.contains("<html lang=\"de\""))
        _ = try await send([("phone", phone), ("password", GatewayProcess.password)], browser)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.textedCode(to: phone)])
        #expect(browser.departure?.hasPrefix("http://127.0.0.1/back?code=hc_") == true)
        #expect(browser.departureQuery["state"] == "s&t")
    }

    private static let asked = [
        ("given_name", "text", true), ("birthdate", "date", false), ("shoe_size", "number", false),
        ("newsletter", "flag", false), ("of_age", "flag", true),
    ]

    @Test("Attributes are stored with their type, and omitted ones are absent")
    func attributes() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await browser(SigningUpClient(names: ["email"], attributes: Self.asked))
        _ = try await send(
            [
                ("email", email), ("password", GatewayProcess.password), ("attribute.given_name", "Änn"),
                ("attribute.birthdate", "2001-12-31"), ("attribute.shoe_size", ".5"), ("attribute.of_age", "false"),
            ], browser)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        let kept = try await gateway.sql { connection in
            try connection.queryOne(
                """
                select attributes::text from accounts a join account_emails e on e.account_id = a.id where address = \(email)
                """
            )?.value(0, as: String.self)
        }
        let expected: JSONObject = ["given_name": "Änn", "birthdate": "2001-12-31", "shoe_size": 0.5, "of_age": false]
        let stored = try #require(try JSON(parsing: kept ?? "").object)
        #expect(stored.members.count == expected.members.count)
        for (name, value) in expected.members.map({ ($0.name, $0.value) }) {
            #expect(stored.members.first { $0.name.hasSuffix("/\(name)") }?.value == value, "\(name)")
        }
    }

    @Test(
        "An invalid attribute gets an error at its field, and the other input stays",
        arguments: [
            ("given_name", "", "This field is required."), ("birthdate", "2001-02-30", "Enter a date"),
            ("shoe_size", "large <b>", "Enter a number"), ("shoe_size", "0x10", "Enter a number"),
            ("of_age", "", "This field is required."), ("of_age", "maybe", "This field is required."),
            ("given_name", String(repeating: "a", count: 2_049), "This is too long"),
        ])
    func wrongAttributes(name: String, value: String, words: String) async throws {
        let browser = try await browser(SigningUpClient(names: ["email"], attributes: Self.asked))
        let good = ["given_name": "Ann", "birthdate": "2001-12-31", "shoe_size": "42", "of_age": "true"]
        let typed = good.merging([name: value]) { $1 }.filter { !$0.value.isEmpty }
        let answer = try await send(
            [("email", Fresh.email()), ("password", GatewayProcess.password)]
                + typed.map { ("attribute.\($0.key)", $0.value) }, browser)
        #expect(answer.status == 400)
        #expect(answer.text.contains(words), "\(answer.text)")
        let document = try HTMLDocument(Array(answer.text.utf8))
        let problem = try #require(document.elements.firstIndex { $0.attributes["id"] == "problem" })
        let before = document.elements[..<problem].last { $0.name == "input" }
        #expect(before?.attributes["name"] == "attribute.\(name)")
        for (other, kept) in good where other != name {
            let fields = document.all("input").filter { $0.attributes["name"] == "attribute.\(other)" }
            #expect(
                fields.contains {
                    $0.attributes["value"] == kept && ($0.attributes["type"] != "radio" || $0.names.contains("checked"))
                },
                "\(other)")
        }
    }

    @Test("An attribute that the client doesn't require is ignored")
    func unasked() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let browser = try await browser(SigningUpClient(names: ["email"]))
        _ = try await send(
            [("email", email), ("password", GatewayProcess.password), ("attribute.role", "admin")], browser)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        #expect(
            try await gateway.count(
                """
                select count(*) from accounts a join account_emails e on e.account_id = a.id
                 where address = \(email) and attributes = '{}'
                """) == 1)
    }
}
