import Testing

@testable import HTTPServer
@testable import Pages
@testable import Web

@Suite("The content of the sign-up page")
struct SignUpContentTests {
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer.bundled.get() }

    private func document(_ page: any Page, _ language: Language = .english) throws -> HTMLDocument {
        try HTMLDocument(renderer.shown(page, language))
    }

    @Test("each attribute has a field of the right kind and name, and required ones are marked")
    func fields() throws {
        let inputs = try document(SamplePages().signUp).within("sign-up-form").filter {
            $0.name == "input" && !$0.isHidden
        }
        let expected = [
            ("username", "text", true), ("email", "email", false), ("phone", "tel", false),
            ("password", "password", true), ("display_name", "text", false), ("attribute.given_name", "text", true),
            ("attribute.birthdate", "date", false), ("attribute.shoe_size", "number", false),
            ("attribute.newsletter", "checkbox", false), ("attribute.of_age", "radio", true),
            ("attribute.of_age", "radio", true),
        ]
        #expect(inputs.map { $0.attributes["name"] ?? "" } == expected.map(\.0))
        #expect(inputs.map { $0.attributes["type"] ?? "" } == expected.map(\.1))
        #expect(inputs.map { $0.attributes["required"] != nil } == expected.map(\.2))
        #expect(inputs.filter { $0.attributes["checked"] != nil }.map { $0.attributes["value"] } == ["true", "false"])
    }

    @Test(
        "a problem appears next to its field, or above the form without one",
        arguments: [
            ("user_name_taken", "username"), ("email_invalid", "email"), ("phone_invalid", "phone"),
            ("password_common", "password"), ("display_name_invalid", "display-name"),
        ])
    func place(code: String, field: String) throws {
        // The button that shows the password belongs to its field.
        let elements = try document(SamplePages().signUp(problem: PageProblem(code))).elements.filter {
            $0.attributes["class"] != "show"
        }
        let problem = try #require(elements.firstIndex { $0.attributes["id"] == "problem" })
        #expect(elements[problem - 1].attributes["id"] == field)
        #expect(elements[problem - 1].names.contains("autofocus"))
        let general = try document(SamplePages().signUp(problem: PageProblem("overloaded"))).elements
        let place = try #require(general.firstIndex { $0.attributes["id"] == "problem" })
        #expect(general[place - 1].isHidden)
        #expect(!general.contains { $0.names.contains("autofocus") })
    }

    @Test("an account with only codes has no password field, and no warning about one")
    func withoutPassword() throws {
        let page = try document(SamplePages().signUpWithoutPassword)
        #expect(page.element(id: "password") == nil)
        #expect(page.element(id: "create-without-password") == nil)
        #expect(page.all("footer").isEmpty)
        let problem = try #require(page.elements.firstIndex { $0.attributes["id"] == "problem" })
        let question = try #require(page.elements.firstIndex { $0.name == "fieldset" })
        #expect(page.elements[question].attributes["aria-describedby"] == "problem")
        #expect(problem > question)
    }

    @Test("known attributes have translated labels, and others the operator's text")
    func labels() throws {
        let labels = try Language.allCases.map { language in
            try document(SamplePages().signUp, language).all("label").map(\.text)
        }
        #expect(Set(labels.compactMap { $0.first { $0.hasPrefix("Geburtsdatum") } }).count == 1)
        #expect(labels.allSatisfy { $0.contains { $0.hasPrefix("Shoe size") } })
        #expect(labels.filter { $0.contains { $0.hasPrefix("Date of birth") } }.count == 1)
    }

    @Test(
        "the name field lists every allowed kind of name",
        arguments: [
            ([.email], "E-mail address", "email"), ([], "E-mail address", "email"), ([.phone], "Phone number", "text"),
            ([.username, .email], "E-mail address or user name", "text"),
            ([.phone, .username, .email], "E-mail address, phone number or user name", "text"),
        ] as [([SignInNames.Kind], String, String)])
    func names(kinds: [SignInNames.Kind], label: String, mode: String) throws {
        let page = LoginPage(
            clientName: "Shop",
            nameForm: .init(
                hidden: [], names: SignInNames(kinds), username: "", asksForPassword: true, signUpAddress: nil,
                offersReset: true), ways: .none, problem: nil, signedInAs: nil)
        let document = try document(page)
        #expect(document.all("label").first?.text == label)
        #expect(document.element(id: "username")?.attributes["inputmode"] == mode)
        #expect(!document.all("a").contains { $0.attributes["href"]?.hasPrefix("/sign-up") == true })
    }
}
