import NIOCore
import Testing

@testable import HTTPServer
@testable import Pages

@Suite("Rules for every page")
struct PageRulesTests {
    private let renderer: PageRenderer

    init() throws { renderer = try PageRenderer.bundled.get() }

    private static let names = SamplePages().all.map(\.name)

    /// Passkeys need the browser's API, so they are available to script only; these pages have a second script.
    private static let scripted: Set = [
        "password", "password-problem",
        "repost", "login", "login-problem", "login-signed-in", "step-passkey", "step-passkey_set_up", "passkey-offer",
        // Their times are shown in the reader's zone.
        "disown", "disown-bare",
    ]

    private func documents(_ name: String) throws -> [HTMLDocument] {
        let page = try #require(SamplePages().all.first { $0.name == name }).page
        return try Language.allCases.map { try HTMLDocument(renderer.shown(page, $0)) }
    }

    @Test(
        "it satisfies a strict content security policy: no inline script or style, only own resources", arguments: names
    )
    func policy(name: String) throws {
        for document in try documents(name) {
            #expect(document.all("style").isEmpty)
            #expect(document.all("base").isEmpty)
            #expect(document.all("script").allSatisfy { $0.attributes["src"] != nil && $0.text.isEmpty })
            let isScripted = Self.scripted.contains(name) || name.hasPrefix("account-")
            #expect(document.all("script").count == (isScripted ? 2 : 1))
            for element in document.elements {
                #expect(element.names.allSatisfy { $0 != "style" && !$0.hasPrefix("on") }, "\(element)")
                for attribute in ["href", "src", "action"] {
                    guard let address = element.attributes[attribute] else { continue }
                    // Links out of our pages: to an authenticator app, to the app of the sign-in.
                    let isForApp =
                        attribute == "href"
                        && (address.hasPrefix("otpauth://totp/")
                            || ["go-elsewhere", "to-app"].contains(element.attributes["id"]))
                    #expect(address.hasPrefix("/") && !address.hasPrefix("//") || isForApp, "\(address)")
                }
            }
            for address in document.elements.compactMap({ $0.attributes["src"] ?? $0.assetAddress }) {
                #expect(renderer.assets.asset(String(address.dropFirst(PageAssets.path.count))) != nil, "\(address)")
            }
        }
    }

    @Test("it has a language, one heading, a title and a main part", arguments: names)
    func frame(name: String) throws {
        for (document, language) in zip(try documents(name), Language.allCases) {
            #expect(document.all("html").map { $0.attributes["lang"] } == [language.rawValue])
            #expect(document.all("main").count == 1)
            #expect(document.all("h1").count == 1)
            #expect(document.all("h1").allSatisfy { !$0.text.isEmpty })
            #expect(document.all("title").allSatisfy { !$0.text.isEmpty })
            #expect(document.all("meta").contains { $0.attributes["content"] == "width=device-width, initial-scale=1" })
            #expect(document.all("bdi").allSatisfy { !$0.text.isEmpty })
        }
    }

    @Test("every form is posted with all its hidden values", arguments: names)
    func forms(name: String) throws {
        let fields = SamplePages().hidden
        for document in try documents(name) {
            for (number, form) in document.elements.enumerated() where form.name == "form" {
                #expect(form.attributes["method"] == "post")
                let inside = document.elements.filter { $0.ancestors.contains(number) }
                for field in fields {
                    #expect(inside.contains { $0.isHidden && $0.attributes["name"] == field.name }, "\(field.name)")
                }
                // Enter presses the first button; the others submit the form without its required fields, or only show
                // the password.
                let buttons = inside.filter { $0.name == "button" && $0.attributes["type"] != "button" }
                #expect(buttons.first?.attributes["formnovalidate"] == nil)
                #expect(buttons.filter { $0.attributes["formnovalidate"] == nil }.count == 1)
            }
            for (number, element) in document.elements.enumerated() where ["input", "button"].contains(element.name) {
                let form = element.attributes["form"].flatMap { document.element(id: $0) }
                let isInside = element.ancestors.contains { document.elements[$0].name == "form" }
                #expect(isInside || form?.name == "form", "\(number)")
            }
        }
    }

    @Test("every control has its own name, and ids are unique", arguments: names)
    func accessibleNames(name: String) throws {
        for document in try documents(name) {
            let ids = document.elements.compactMap { $0.attributes["id"] }
            #expect(Set(ids).count == ids.count)
            for element in document.elements {
                switch element.name {
                case "input" where !element.isHidden:
                    let id = try #require(element.attributes["id"])
                    let labels = document.all("label").filter { $0.attributes["for"] == id }
                    #expect(labels.count == 1 && !labels[0].text.isEmpty, "\(id)")
                    #expect(element.attributes["autocomplete"] != nil, "\(id)")
                case "button", "a":
                    let label = element.attributes["aria-label"] ?? element.text
                    #expect(label.contains { $0.isLetter }, "\(element)")
                case "svg":
                    let isPicture = element.attributes["role"] == "img" && element.attributes["aria-labelledby"] != nil
                    #expect(isPicture || element.attributes["aria-hidden"] == "true")
                default: break
                }
                for attribute in ["aria-describedby", "aria-labelledby"] {
                    let named = element.attributes[attribute]?.split(separator: " ") ?? []
                    #expect(named.allSatisfy { ids.contains(String($0)) }, "\(named)")
                }
                #expect(element.attributes["tabindex"] == nil)
            }
        }
    }

    @Test(
        "a problem is an alert, and its field refers to it",
        arguments: [
            ("password-problem", "password"), ("sign-up", "password"), ("confirm", "code"), ("forgot", "username"),
        ])
    func problems(name: String, field: String) throws {
        for document in try documents(name) {
            #expect(document.element(id: "problem")?.attributes["role"] == "alert")
            let described = document.element(id: field)?.attributes["aria-describedby"] ?? ""
            #expect(described.split(separator: " ").contains("problem"))
            #expect(document.all("input").filter { $0.attributes["aria-invalid"] == "true" }.count == 1)
        }
    }

    @Test("style sheet and sign-in page stay under 30 KiB", arguments: Language.allCases)
    func size(language: Language) throws {
        let sheet = try #require(
            renderer.assets.asset(String(renderer.assets.addresses["pages_css", default: ""].dropFirst(8))))
        let page = try renderer.shown(SamplePages().login, language)
        #expect(sheet.body.plain.readableBytes + page.count < 30 * 1024)
    }
}

extension HTMLDocument.Element {
    fileprivate var assetAddress: String? { name == "link" ? attributes["href"] : nil }
}
