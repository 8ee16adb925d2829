import Foundation
import Testing

@testable import Web

/// Common paths through the hosted pages.
extension Browser {
    /// From the login page to a provider's consent page.
    func choose(_ provider: String, at page: String = "/login") async throws {
        try await visit(page)
        try await pick("#provider-\(provider)")
        try await waitFor("#allow")
    }

    /// Clicks a sign-in method, also below "Other ways to sign in".
    func pick(_ method: String) async throws {
        if try await has("#other-ways:not([open]) \(method)") { try await click("#other-ways summary") }
        try await click(method)
    }

    /// From the password's page to the code.
    func useCode() async throws {
        try await click("#other-ways summary")
        try await click("#use-code")
    }

    /// Enters a name into the sign-in page, and continues to its password.
    func enterName(_ name: String) async throws {
        try await fill("#username", name)
        try await click("#sign-in")
        try await waitFor("#password")
    }

    /// Enters an address on the consent page and agrees.
    func allow(as email: String) async throws {
        try await fill("#email", email)
        try await click("#allow")
    }

    /// A complete sign-in, up to the account page.
    func signIn(_ provider: String, as email: String) async throws {
        try await choose(provider)
        try await allow(as: email)
        try await arrive(at: "/account")
    }

    /// Signs up with a password, and ends at the account page.
    func signUp(_ email: String, name: String = "", gateway: GatewayProcess) async throws {
        try await beginSignUp(email, name: name)
        try await type(try await gateway.mailedCode(to: email), into: "#code")
        try await click("#confirm")
        try await arrive(at: "/account")
    }

    /// Signs up until the page for the code.
    func beginSignUp(_ email: String, name: String = "") async throws {
        try await visit("/sign-up")
        try await fill("#email", email)
        try await fill("#password", GatewayProcess.password)
        try await fill("#display-name", name)
        try await click("#create")
        try await waitFor("#code")
    }

    /// Adds a number to the account, from the account page and back to it.
    func addNumber(_ phone: String, gateway: GatewayProcess) async throws {
        try await open(.profile)
        try await click("#add-number")
        try await fill("#phone", phone)
        try await click("#go-on")
        try await type(try await gateway.textedCode(to: phone), into: "#code")
        try await click("#go-on")
        try await arrive(at: "/account")
    }

    /// Enters a name and a password into the current form, and submits it.
    func passwordSignIn(_ email: String, _ password: String = GatewayProcess.password) async throws {
        if try await !has("#password") {
            try await enterName(email)
        } else if try await has("#username") {
            try await fill("#username", email)
        }
        try await fill("#password", password)
        try await click("#sign-in")
    }

    /// Opens a section of the account page by its navigation, from any section.
    func open(_ section: AccountSection) async throws {
        let link = "#section-\(section.rawValue)"
        try await waitFor(link)
        guard try await !has("\(link)[aria-current]") else { return }
        try await click(link)
        try await waitFor("\(link)[aria-current]")
    }

    /// The account of the account page, after opening its profile.
    func accountID() async throws -> String {
        try await open(.profile)
        return try await text(of: "section code")
    }

    func signOut() async throws {
        try await click("#sign-out")
        try await waitFor("#action-sign_in")
    }

    /// Opens the account page; returns its account.
    func account() async throws -> String {
        try await visit("/account")
        try await waitFor("#sign-out")
        return try await accountID()
    }
}
