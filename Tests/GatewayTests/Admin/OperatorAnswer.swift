import JSON
import Testing

extension GatewayProcess {
    /// The administration's client.
    static let consoleClient = "console"

    /// An operator with a password and an authenticator app, signed in with both.
    func operatorSession(_ role: String) async throws -> SignedInAnswer {
        let person = try await protectedPerson()
        let granted = try await deployment.run("admin", "grant", person.account, "--role", role, "--yes")
        try #require(granted.exitCode == 0, "\(granted.errors)")
        return try await signIn(person, app: Self.consoleClient)
    }

    func admin(_ method: String, _ path: String, _ body: JSON? = nil, by session: SignedInAnswer) async throws
        -> TestAnswer
    {
        let request = TestRequest(method, "/admin/api/v1/\(path)").bearer(session.accessToken)
        return try await send(body.map(request.json) ?? request)
    }

    /// The operators' view of the account.
    func dossier(_ account: String, by session: SignedInAnswer) async throws -> JSON {
        let answer = try await admin("GET", "accounts/\(account)", by: session)
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json["account"] ?? .null
    }
}
