extension Target {
    /// The reason why no attack on the app or the account would mean anything; nil without one.
    ///
    /// Everything is refused for an app that is not there, and an unknown address differs from no other one.
    package func wrongArgument() async -> String? {
        // Without an answer, each attack says why it was not tried.
        guard let app = try? app(), let answer = try? await send(app.authorization()) else { return nil }
        guard (200..<400).contains(answer.status) else {
            let refused = "the app \(app.id) with \(app.redirectURI) is refused"
            return "\(refused): GET /authorize answered \(answer.status)"
        }
        guard (try? account()) != nil else { return nil }
        do {
            _ = try await tokens()
            return nil
        } catch {
            return (error as? NotTried).flatMap { $0.isWrongArgument ? $0.reason : nil }
        }
    }
}
