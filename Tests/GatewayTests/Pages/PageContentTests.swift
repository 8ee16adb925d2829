import Testing

@testable import HTTPServer
@testable import Pages
@testable import Web

@Suite("The content of pages")
struct PageContentTests {
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer.bundled.get() }

    private func document(_ page: any Page, _ language: Language = .english) throws -> HTMLDocument {
        try HTMLDocument(renderer.shown(page, language))
    }

    @Test("the ids for tests and password managers exist")
    func ids() throws {
        let sample = SamplePages()
        let expected: [(any Page, [String])] = [
            (sample.loginSignedIn, ["continue-as", "password-form", "username", "sign-in", "other-ways", "forgot"]),
            (sample.login, SamplePages.providerIDs.map { "provider-\($0)" }),
            (sample.signUp, ["username", "email", "phone", "password", "display-name", "create", "with-email"]),
            (sample.signUp, ["create-without-password", "attribute-0", "attribute-3", "attribute-4-yes"]),
            (sample.confirm, ["code", "confirm", "resend", "back"]),
            (sample.link, ["provider-apple", "password-form", "username", "password", "sign-in", "decline"]),
            (sample.account(.profile), ["display-name", "save", "sign-out", "sign-out-everywhere", "to-app"]),
            (sample.account(.profile), ["address-main-1", "address-prove-2", "address-remove-0"]),
            (sample.account(.profile), ["add-address", "add-number", "section-activity"]),
            (sample.account(.signInMethods), ["link-microsoft", "unlink-id-Goog"]),
            (sample.account(.signInMethods), ["current-password", "new-password", "change-password"]),
            (sample.account(.signInMethods), ["add-passkey", "prefer-f3", "remove-f3"]),
            (sample.passkeyOffer, ["passkey-form", "use-passkey", "not-now"]),
            (sample.step(.authenticatorCode), ["no-factor"]), (sample.step(.mailedCode), ["change"]),
            (sample.account(.twoStep), ["prefer-f2", "remove-f1", "add-totp", "new-codes"]),
            (sample.account(.twoStep), ["add-email", "add-sms"]),
            (sample.account(.devices), ["end-01a1fe3f-0002", "forget-d2"]),
            (sample.account(.activity), ["event-list", "older"]),
            (sample.account(.data), ["export"]),
            (sample.step(.newAddress), ["email", "go-on", "back"]), (sample.step(.newNumber), ["phone", "go-on"]),
            (sample.login, ["passkey-form", "use-passkey"]),
            (sample.password, ["password-form", "password", "sign-in", "use-code", "use-passkey", "back"]),
            (sample.forgot, ["username", "send-code"]),
            (sample.step(.authenticatorCode), ["code", "remember-device", "go-on", "choose-sms-c1"]),
            (sample.step(.mailedCode), ["code", "resend"]), (sample.step(.recoveryCode), ["recovery-code"]),
            (sample.step(.resetPassword), ["code", "new-password", "resend"]),
            (sample.step(.resetCode), ["code", "resend", "go-on"]),
            (sample.step(.authenticatorSetUp), ["qr", "secret", "open-app", "code"]),
            (sample.step(.passkey), ["passkey-form", "use-passkey", "passkey-problem"]),
            (sample.recoveryCodes(onwardAddress: nil), ["codes", "download", "go-on"]),
            (sample.botCheck, ["bot-check-form", "go-on", "back"]), (sample.repost, ["repost", "continue"]),
            (sample.notice, ["action-try_again", "action-sign_in_another_way"]),
        ]
        for (page, ids) in expected {
            let document = try document(page)
            for id in ids { #expect(document.element(id: id) != nil, "\(id)") }
        }
    }

    @Test("forms post to where their handlers are, under the names that these read")
    func targets() throws {
        let sample = SamplePages()
        let choosing = [String](repeating: "/login/step", count: 3)
        let expected: [(any Page, String, String, [String])] = [
            (sample.login, "password-form", "/login", ["username"]),
            (sample.password, "password-form", "/login", ["password"]),
            (sample.loginWithoutProvider, "password-form", "/login", ["username", "password"]),
            (sample.forgot, "forgot-form", "/forgot", ["username"]),
            (sample.link, "password-form", "/login", ["username", "password"]),
            (sample.botCheck, "bot-check-form", "/login", []),
            (sample.repost, "repost", "/login/apple/complete", []),
        ]
        for (page, id, address, names) in expected {
            let document = try document(page)
            #expect(document.element(id: id)?.attributes["action"] == address)
            let typed = document.within(id).filter {
                $0.name == "input" && !$0.isHidden && $0.attributes["name"] != nil
            }
            #expect(typed.map { $0.attributes["name"] } == names)
        }
        #expect(try actions(sample.loginSignedIn) == ["/login/continue", "/login", "/login/step"])
        #expect(try actions(sample.signUp) == ["/sign-up"])
        #expect(try actions(sample.confirm) == ["/sign-up/confirm", "/sign-up/resend"])
        #expect(try actions(sample.linkWithoutPassword).last == "/login/decline")
        #expect(try document(sample.link).element(id: "use-code")?.attributes["value"] == "code")
        #expect(try actions(sample.step(.mailedCode)) == ["/login/step", "/login/resend"] + choosing)
        #expect(try actions(sample.step(.chooseSecondFactor)) == choosing)
        #expect(try actions(sample.step(.passkeySetUp)).first == "/account/factors/confirm")
        #expect(try actions(sample.step(.newAddress)).first == "/account/addresses")
        #expect(try actions(sample.recoveryCodes(onwardAddress: nil)) == ["/recovery-codes", "/login/step"])
        #expect(try actions(sample.delete) == ["/account/delete"])
        let own = ["/logout", "/account/deletion/cancel"]
        for page in sample.account {
            #expect(try Array(actions(page).prefix(2)) == own && actions(page).last == "/logout")
        }
        #expect(try actions(sample.account(.profile)).contains("/account/profile"))
        #expect(try actions(sample.account(.data)) == own + ["/account/export", "/logout"])
        #expect(try actions(sample.passkeyOffer) == ["/login/passkey", "/login/continue"])
        #expect(try actions(sample.account(.signInMethods)).contains("/account/identities/id-Goog/unlink"))
        #expect(try actions(sample.account(.devices)).contains("/account/sessions/01a1fe3f-0002/end"))
        #expect(try actions(sample.accountWithLittle[0])[1] == "/account/profile")
    }

    @Test("a provider's attributes have the labels of the sign-up, and unknown ones their own names")
    func attributeLabels() throws {
        for kind in [StepPage.Kind.attributes, .newPassword] {
            let labels = try document(SamplePages().step(kind), .german).all("label").filter {
                $0.attributes["for"]?.hasPrefix("attribute-") == true
            }
            #expect(labels.map(\.text) == ["Vorname", "team"])
        }
        let known: [(String, KnownAttribute?)] = [
            ("given_name", .givenName), ("givenName", .givenName), ("surname", .familyName), ("city", .locality),
            ("custom:team", nil), ("GivenName", nil), ("", nil),
        ]
        for (name, attribute) in known { #expect(KnownAttribute(named: name) == attribute, "\(name)") }
    }

    private func actions(_ page: any Page) throws -> [String] {
        try document(page).all("form").compactMap { $0.attributes["action"] }
    }

    @Test("no script handles a paste")
    func paste() throws {
        let scripts = try Pages.files("Sources/Pages/Assets", ".js")
        #expect(scripts.count > 3)
        for script in scripts { #expect(try !Pages.text(script).lowercased().contains("paste"), "\(script)") }
    }

    @Test("every page of the account signs out, here or everywhere")
    func scopes() throws {
        for page in SamplePages().account + SamplePages().accountWithLittle {
            let scopes = try document(page).all("input").filter { $0.attributes["name"] == "scope" }
            #expect(scopes.map { $0.attributes["value"] } == ["local", "global"])
        }
    }

    @Test("each page that asks for a number says how safe text messages are")
    func textMessageRisk() throws {
        let sample = SamplePages()
        let pages: [any Page] = [sample.step(.textSetUp), sample.step(.newNumber), sample.signUp]
        for page in pages {
            let document = try document(page)
            #expect(document.element(id: "phone-risk")?.text.contains("authenticator app or a passkey") == true)
            let describing = document.element(id: "phone")?.attributes["aria-describedby"]
            #expect(describing?.split(separator: " ").contains("phone-risk") == true, "\(describing ?? "")")
        }
    }

    @Test("providers are links: a redirect that follows a form would be held to the page's form-action")
    func providers() throws {
        #expect(try document(SamplePages().login).element(id: "provider-google")?.name == "a")
        #expect(try document(SamplePages().link).element(id: "provider-google")?.name == "a")
    }

    @Test("the navigation names every section and marks the current one")
    func navigation() throws {
        for page in SamplePages().account {
            let document = try document(page)
            for section in AccountSection.allCases {
                let link = document.element(id: "section-\(section.rawValue)")
                #expect(link?.attributes["href"] == section.address)
                #expect((link?.attributes["aria-current"] == "page") == (section == page.section))
            }
        }
    }

    @Test("a session is described by its method and its times")
    func sessions() throws {
        let list = try document(SamplePages().account(.devices)).within("content").filter { $0.name == "li" }
            .map(\.text)
            .map { $0.replacing("\u{a0}", with: " ") }
        #expect(list.contains { $0.contains("Signed in on 18 November 2026, 08:30 UTC with: Google") }, "\(list)")
        #expect(
            list.contains { $0.contains("with: Password") && $0.contains("Last used on 20 November 2026, 09:00") },
            "\(list)")
        let through = list.filter { $0.contains("through Amazon Cognito's API") }
        #expect(through.count == 1 && through.first?.hasPrefix("Ann's phone") == true, "\(list)")
    }

    @Test("a time is in UTC, and names its moment for the script that shows it in the reader's zone")
    func times() throws {
        let document = try document(SamplePages().account(.devices))
        let times = document.all("time").map {
            ($0.attributes["datetime"] ?? "", $0.text.replacing("\u{a0}", with: " "))
        }
        #expect(times.contains { $0 == ("2026-11-18T08:30:00Z", "18 November 2026, 08:30 UTC") }, "\(times)")
        #expect(times.contains { $0 == ("2026-12-21T09:00:00Z", "21 December 2026") }, "\(times)")
        #expect(document.all("script").contains { $0.attributes["src"] == renderer.assets.addresses["times_js"] })
    }

    @Test("to wait for another code is no mistake")
    func wait() throws {
        let waiting = SamplePages().step(.mailedCode, problem: PageProblem("resend_too_soon", ["seconds": "30"]))
        let problem = try document(waiting).element(id: "problem")
        #expect(problem?.attributes["class"] == "message note" && problem?.attributes["role"] == "status")
        let throttled = try document(SamplePages().step(.mailedCode)).element(id: "problem")
        #expect(throttled?.attributes["class"] == "message problem" && throttled?.attributes["role"] == "alert")
    }

    @Test("an icon has the words of its brand as its name")
    func icons() throws {
        let icon = try document(SamplePages().login, .german).element(id: "provider-github")
        #expect(icon?.attributes["aria-label"] == "Mit GitHub anmelden")
    }

    @Test("this device isn't offered for sign-out in the list")
    func currentDevice() throws {
        #expect(try document(SamplePages().account(.devices)).element(id: "end-01a1fe3f-0001") == nil)
    }

    @Test(
        "a brand's button has the required text",
        arguments: [
            (.english, "apple", "Sign in with Apple"), (.german, "apple", "Mit Apple anmelden"),
            (.japanese, "apple", "Appleでサインイン"), (.simplifiedChinese, "apple", "通过 Apple 登录"),
            (.russian, "apple", "Вход с Apple"), (.german, "google", "Über Google anmelden"),
            (.english, "acme", "Sign in with Acme Stahlwerke"),
        ] as [(Language, String, String)])
    func labels(language: Language, provider: String, label: String) throws {
        #expect(try document(SamplePages().login, language).element(id: "provider-\(provider)")?.text == label)
    }

    private static let arguments = [
        "seconds": "30", "left": "3", "minimum": "8", "provider": "Acme", "date": "soon",
        "host": "agent.example", "app": "Shop",
    ]

    @Test("every problem has its words in every language", arguments: ProblemCode.allCases)
    func problems(code: ProblemCode) throws {
        for language in Language.allCases {
            let page = SamplePages().signUp(problem: PageProblem(code.rawValue, Self.arguments))
            let document = try document(page, language)
            #expect(try document.element(id: "problem")?.text == words(language, "problem.\(code.rawValue)"))
            let marked = document.all("input").filter { $0.attributes["aria-invalid"] == "true" }
            // A sign-up has neither a code nor a current password, and deletes no account.
            let field = [.code, .currentPassword, .confirm].contains(code.field) ? nil : code.field
            #expect(marked.map { $0.attributes["name"] } == (field.map { [$0.rawValue] } ?? []))
        }
    }

    @Test("every notice has its words in every language", arguments: NoticeCode.allCases)
    func notices(code: NoticeCode) throws {
        for language in Language.allCases {
            let page = NoticePage(
                code: code.rawValue, arguments: Self.arguments, requestID: nil,
                actions: ActionKey.allCases.map { NoticePage.Action(key: $0.rawValue, address: "/", isMain: false) })
            let document = try document(page, language)
            #expect(try document.all("h1").map(\.text) == [words(language, "notice.\(code.rawValue).title")])
            let text = try words(language, "notice.\(code.rawValue).text")
            #expect(document.all("p").map(\.text) == [text])
            #expect(
                try document.all("a").map(\.text)
                    == ActionKey.allCases.map { try words(language, "action.\($0.rawValue)") })
        }
    }

    private func words(_ language: Language, _ key: String) throws -> String {
        let words = try renderer.messages.words(language)
        var arguments = Self.arguments
        arguments["seconds"] = words.duration(seconds: "30")
        return words.text(key, arguments)
    }

    @Test("a code without a message, or without its arguments, becomes the generic one")
    func unknownCodes() throws {
        let generic = try renderer.messages.words(.english).text("problem.generic")
        for problem in [PageProblem("no_such"), PageProblem("throttled"), PageProblem("month.1")] {
            let page = LoginPage(
                clientName: "Shop", nameForm: nil, ways: .none, problem: problem, signedInAs: nil)
            #expect(try document(page).element(id: "problem")?.text == generic)
        }
        let title = try renderer.messages.words(.english).text("notice.internal_error.title")
        for code in ["no_such", "throttled", ""] {
            let page = NoticePage(code: code, arguments: ["second": "3"], requestID: "abc", actions: [])
            let document = try document(page)
            #expect(document.all("h1").map(\.text) == [title])
            #expect(document.all("p").contains { $0.text.hasSuffix("abc") })
        }
    }

    @Test("a completed action is confirmed, and an unknown one is not")
    func notices() throws {
        for notice in AccountNotice.allCases {
            #expect(
                try done(notice.rawValue) == renderer.messages.words(.english).text("account.done.\(notice.rawValue)"))
        }
        #expect(try done("no_such") == nil)
    }

    private func done(_ notice: String) throws -> String? {
        let page = AccountPage(
            name: nil, email: nil, content: .data, links: [], app: nil, deletionDue: nil, removalDue: nil, hidden: [],
            done: notice, problem: nil)
        return try document(page).element(id: "done")?.text
    }
}
