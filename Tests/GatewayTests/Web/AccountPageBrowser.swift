import Foundation
import Testing

@testable import Web

/// A user's actions on the account page, with ``PageBrowser``.
extension PageBrowser {
    /// Signs in with the password, and opens the account page.
    static func signedIn(_ gateway: GatewayProcess, _ email: String) async throws -> PageBrowser {
        let browser = try await open(gateway, "/login")
        try await browser.passwordSignIn(email, GatewayProcess.password)
        try #require(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        return browser
    }

    /// Submits the form with that action and field, plus the typed values.
    @discardableResult
    func press(
        _ action: String, _ name: String, _ value: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await openSection {
            $0.forms.contains { $0.action == action && $0.fields.contains { $0 == (name, value) } }
        }
        let form = try #require(
            page.forms.first { $0.action == action && $0.fields.contains { $0 == (name, value) } },
            "No form leads to \(action) with \(value): \(page.text)", sourceLocation: sourceLocation)
        return try await post(action, form.fields)
    }

    /// Opens the section of the account page with such a content, if the browser is on a section without it.
    func openSection(until isFound: (TestAnswer) -> Bool) async throws {
        let sections = page.links.filter { AccountSection.allCases.map(\.address).contains($0) }
        for address in sections where !isFound(page) { try await visit(address) }
    }

    /// Opens the section of the account page with that form.
    func openSection(of action: String) async throws {
        try await openSection { page in page.forms.contains { $0.action == action } }
    }

    /// Whether the page has such a form.
    func offers(_ action: String, _ name: String, _ value: String) -> Bool {
        page.forms.contains { $0.action == action && $0.fields.contains { $0 == (name, value) } }
    }

    /// The flow of the current step.
    var flow: String { page.forms.first?.fields.first { $0.0 == "flow" }?.1 ?? "" }

    /// The entries of a list, as text.
    func entries(of list: String) throws -> [String] {
        let document = try HTMLDocument(Array(page.text.utf8))
        return document.within(list).filter { $0.name == "li" }.map(\.text)
    }
}

extension Fresh {
    /// A unique number.
    static func phone() -> String { "+49151\(UInt32.random(in: 10_000_000...99_999_999))" }
}
