import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@testable import OperatorAccess

/// An operator with a password and an authenticator app, at the console in a ``PageBrowser``.
struct ConsoleOperator {
    let gateway: GatewayProcess
    let email: String
    let account: String
    let secret: [UInt8]

    /// - Parameter role: nil for a user without a role.
    init(_ gateway: GatewayProcess, _ role: OperatorRole?) async throws {
        (self.gateway, email) = (gateway, Fresh.email())
        let session = try await gateway.signUp(email)
        account = session.account
        let begun = try await gateway.post("/v1/account/factors", ["type": "totp"], bearer: session.accessToken)
        secret = try Base32Text.bytes(of: begun.json["next_step"]?["totp"]?["secret"]?.string ?? "")
        let confirmed = try await gateway.post(
            "/v1/account/factors/confirm",
            ["flow": begun.json["flow"] ?? .null, "response": ["code": .string(Self.code(secret, ahead: 0))]],
            bearer: session.accessToken)
        try #require(confirmed.status == 201, "\(confirmed.text)")
        if let role { try await gateway.grant(role, to: account) }
    }

    static func code(_ secret: [UInt8], ahead: Int) -> String {
        TOTP.code(secret: secret, step: Int(Date().timeIntervalSince1970) / TOTP.period + ahead)
    }

    /// Goes from a console page through the sign-in, and returns to it.
    func open(_ path: String = "/admin") async throws -> PageBrowser {
        let browser = try await PageBrowser.open(gateway, path)
        try await browser.passwordSignIn(email, GatewayProcess.password)
        try await browser.submit("/login/step", ["code": Self.code(secret, ahead: 1)])
        return browser
    }

    static func browser(_ gateway: GatewayProcess, _ role: OperatorRole) async throws -> PageBrowser {
        let browser = try await ConsoleOperator(gateway, role).open()
        try #require(browser.page.status == 200, "\(browser.page.text)")
        return browser
    }
}

extension GatewayProcess {
    func grant(_ role: OperatorRole, to account: String) async throws {
        let id = try #require(UUID(uuidString: account))
        let refusal: String? = try await sql { connection in
            try connection.queryOne("select grant_role(\(id), \(role.rawValue), null, null, 'test', null, true)")?
                .value(0)
        }
        try #require(refusal == nil)
    }

    /// Gives an account a name and an identity, as an import would.
    func furnish(_ account: String, name: String, identity subject: String? = nil, email: String? = nil) async throws {
        let id = try #require(UUID(uuidString: account))
        _ = try await sql { connection in
            try connection.execute("update accounts set display_name = \(name) where id = \(id)")
            guard let subject else { return }
            try connection.execute(
                """
                with made as (
                    insert into identities (id, account_id, provider, realm, subject, email, email_verified, linked_by)
                    values (\(UUID()), \(id), 'google', 'https://accounts.google.com', \(subject), \(email), true, 'no_match') returning id)
                insert into audit_inbox (action, outcome, reason, account_id, identity_id)
                select 'identity_linked', 'done', 'no_match', \(id), id from made
                """)
        }
    }

    func status(of account: String) async throws -> String {
        let id = try #require(UUID(uuidString: account))
        return try await sql { connection in
            try connection.queryOne("select status from accounts where id = \(id)")?.value(0) ?? "none"
        }
    }
}

extension PageBrowser {
    /// The page's error message.
    var problem: String? {
        (try? HTMLDocument(Array(page.text.utf8)))?.element(id: "problem")?.text
    }

    /// The actions on an account's page.
    var offered: Set<String> {
        let document = try? HTMLDocument(Array(page.text.utf8))
        return Set((document?.elements ?? []).compactMap { $0.attributes["data-do"] })
    }

    var title: String { (try? HTMLDocument(Array(page.text.utf8)))?.all("h1").first?.text ?? "" }

    /// Submits the page's form with a reason.
    @discardableResult
    func confirm(_ reason: String = "asked for by phone", sourceLocation: SourceLocation = #_sourceLocation)
        async throws -> TestAnswer
    {
        let form = try #require(
            page.forms.first { $0.fields.contains { $0.0 == "reason" } }, "Nothing asks for a reason: \(page.text)",
            sourceLocation: sourceLocation)
        // A browser does not send an unchecked box.
        let fields = form.fields.filter { $0.0 != "sealed" }.map { ($0.0, $0.0 == "reason" ? reason : $0.1) }
        return try await post(form.action, fields)
    }
}

extension TestAnswer {
    /// The settings that a change would change, as its confirmation names them.
    var differences: [String] {
        get throws {
            let document = try HTMLDocument(Array(text.utf8))
            return document.within("differences").filter { $0.attributes["scope"] == "row" }.map(\.text)
        }
    }
}
