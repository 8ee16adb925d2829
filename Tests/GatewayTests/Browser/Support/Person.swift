import Cryptography
import Foundation
import Postgres
import TestSupport
import Testing

/// A user with a password account, and their other sign-in methods.
final class Person {
    let gateway: GatewayProcess
    let email: String
    let account: String
    /// The secret of their authenticator app.
    private(set) var secret: [UInt8] = []
    private var usedStep = 0
    private(set) var recoveryCodes: [String] = []

    init(_ gateway: GatewayProcess, email: String = Fresh.email()) async throws {
        (self.gateway, self.email) = (gateway, email)
        account = try await gateway.signUp(email).account
    }

    /// A user with an existing account.
    init(_ gateway: GatewayProcess, email: String, account: String) {
        (self.gateway, self.email, self.account) = (gateway, email, account)
    }

    /// The app's current code, or the next one if it was used, because a code works once.
    func appCode() -> String {
        usedStep = max(usedStep + 1, Int(Date().timeIntervalSince1970) / TOTP.period)
        return TOTP.code(secret: secret, step: usedStep)
    }

    /// A code that the app does not show at any near time.
    func wrongAppCode() -> String {
        let now = Int(Date().timeIntervalSince1970) / TOTP.period
        let near = Set((now - 3...now + 3).map { TOTP.code(secret: secret, step: $0) })
        return ["000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777"]
            .first { !near.contains($0) } ?? "888888"
    }

    /// Goes from the page for the first code of a new authenticator app to the page with the recovery codes.
    func setUpApp(_ browser: Browser) async throws {
        try await browser.waitFor("#secret")
        secret = try Base32Text.bytes(of: try await browser.text(of: "#secret"))
        try await browser.type(appCode(), into: "#code")
        try await browser.click("#go-on")
        try await browser.waitFor("#codes")
        recoveryCodes = try await browser.text(of: "#codes").split(whereSeparator: \.isWhitespace).map(String.init)
            .filter { $0.contains("-") }
    }

    /// The same with an existing second factor, without recovery codes.
    func addApp(_ browser: Browser) async throws {
        try await browser.waitFor("#secret")
        secret = try Base32Text.bytes(of: try await browser.text(of: "#secret"))
        try await browser.type(appCode(), into: "#code")
        try await browser.click("#go-on")
        try await browser.waitFor("#done")
    }

    /// Signs in with the password; the next step depends on the account.
    func signIn(_ browser: Browser, at page: String = "/login") async throws {
        try await browser.visit(page)
        try await browser.passwordSignIn(email)
    }

    /// The newest mailed code, once there are more than `count` mails.
    func mailedCode(after count: Int) async throws -> String {
        try await poll {
            let codes = self.gateway.mails(to: self.email).dropFirst(count).compactMap(\.code)
            return codes.last
        }
    }

    var mailCount: Int { gateway.mails(to: email).count }

    /// A separate client that requires a second factor of all users.
    static func strictClient(_ gateway: GatewayProcess, redirectURI: String = "http://127.0.0.1/back") async throws
        -> String
    {
        let id = "strict-\(Fresh.text())"
        _ = try await gateway.sql { connection in
            try connection.execute(
                """
                insert into clients (id, name, origins, redirect_uris, mfa, providers)
                values (\(id), 'Example Bank', '{}', array[\(redirectURI)], 'required', (select providers from clients where id = 'app'))
                """)
        }
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        return id
    }
}
