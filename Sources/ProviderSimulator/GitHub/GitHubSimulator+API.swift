import HTTPTypes
import JSON

extension GitHubSimulator {
    /// `GET user`: the profile, with a null address unless the user publishes it.
    func user(_ request: Received) throws -> Answer {
        let access = try access(by: request, optional: [])
        return .secret(.object(access.user))
    }

    /// `GET user/emails`: every address of the account, for tokens with that scope.
    func emails(_ request: Received) throws -> Answer {
        let access = try access(by: request, optional: ["per_page", "page"])
        guard access.scopes.contains(where: ["user", "user:email"].contains) else {
            throw refusal(.notFound, "Not Found", reason: "the access token does not grant user:email")
        }
        let size = try number("per_page", in: 1...100, of: request) ?? 30
        let page = try number("page", in: 1...1_000_000, of: request) ?? 1
        return .secret(.array(Array(access.emails.dropFirst((page - 1) * size).prefix(size))))
    }

    private func access(by request: Received, optional: Set<String>) throws(Refusal) -> Access {
        try expectGoodManners(request, optional: optional)
        guard let header = try request.header("authorization"), header.lowercased().hasPrefix("bearer ") else {
            throw refusal(.unauthorized, "Requires authentication", reason: "there is no bearer token")
        }
        guard let access = desk.accessTokens[String(header.dropFirst(7))] else {
            throw refusal(.unauthorized, "Bad credentials", reason: "the access token is unknown")
        }
        return access
    }

    private func expectGoodManners(_ request: Received, optional: Set<String>) throws(Refusal) {
        guard let agent = try request.header("user-agent"), !agent.isEmpty else {
            throw refusal(.forbidden, "Request forbidden by administrative rules: User-Agent is missing.")
        }
        do {
            try request.expectNoBody()
            try request.query.expect(required: [], optional: optional)
        } catch {
            throw refusal(.unprocessableContent, "Validation Failed", reason: "\(error)")
        }
    }

    private func number(_ name: String, in range: ClosedRange<Int>, of request: Received) throws(Refusal) -> Int? {
        guard let text = request.query[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw refusal(.unprocessableContent, "Validation Failed", reason: "\(name) is out of range")
        }
        return number
    }

    /// The API's form of a refusal, which differs from the token endpoint's.
    private func refusal(_ status: HTTPResponse.Status, _ message: String, reason: String? = nil) -> Refusal {
        let body: JSON = [
            "message": .string(message), "documentation_url": "https://docs.github.com/rest",
            "status": .string(String(status.code)),
        ]
        return Refusal(status, "api", message, reason: reason).inForm(.answer(.secret(body, status: status)))
    }
}
