/// A browser that was sent to a provider, with the state of that redirect.
struct ProviderVisit: Sendable {
    var visitor: Visitor
    let provider: String
    let state: String

    /// Begins a sign-in at a provider; nothing is sent to the provider.
    init(_ target: Target, at provider: String) async throws {
        var visitor = Visitor(target)
        let answer = try await visitor.send(.get("/login/\(provider)", try target.app().loginFields))
        guard let state = answer.location.parameter("state"), !answer.location.contains("form_post") else {
            throw NotTried("GET /login/\(provider) leads to no provider that answers by a redirection")
        }
        (self.visitor, self.provider, self.state) = (visitor, provider, state)
    }

    /// The same at a provider of the app.
    init(_ target: Target) async throws {
        try await self.init(target, at: try await target.provider())
    }

    /// The provider's answer that the user cancelled: if it is accepted, it leads to the app.
    func cancelled(_ more: [(String, String)] = [], at path: String? = nil) -> AttackRequest {
        let place = path ?? "/login/\(provider)/callback"
        // The state is still encoded.
        return .get("\(place)?state=\(state)&error=access_denied", more)
    }

    /// The first provider of the sign-in page that leads back to the app after a cancelled sign-in.
    static func findProvider(_ target: Target) async throws -> String {
        let app = try target.app()
        let page = try await target.send(.get("/login", app.loginFields)).text
        let names = page.matches(of: /"\/login\/([a-z0-9_-]+)\?/).map { String($0.output.1) }
        for name in names {
            guard var visit = try? await ProviderVisit(target, at: name) else { continue }
            if try await visit.visitor.send(visit.cancelled()).location.hasPrefix(app.redirectURI) { return name }
        }
        throw NotTried("the sign-in page of the app offers no provider that answers by a redirection")
    }

    /// - Throws: ``Broken`` if the answer goes on to the app, or signs a user in.
    func expectStopped(_ answer: AttackAnswer, _ what: String) throws {
        let app = try visitor.target.app()
        guard !answer.location.hasPrefix(app.redirectURI), !answer.setsSession, answer.status >= 400 else {
            throw Broken("the callback of \(provider) accepted \(what): \(answer.status)")
        }
    }
}
