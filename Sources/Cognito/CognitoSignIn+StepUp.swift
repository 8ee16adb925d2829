import Clients
import HTTPServer
import JSON
import Sessions
import SignIn
import Vocabulary

/// `ACCESS_TOKEN` of `USER_AUTH`: the user of a session proves the missing factor.
extension CognitoSignIn {
    /// Nil where the sign-in begins from scratch, as without an access token.
    ///
    /// - Parameter name: `USERNAME`, which must be a name of the session's user.
    func raised(
        to target: CognitoTarget?, _ parameters: CognitoTexts, _ name: String, _ client: Client, _ call: inout DoorCall
    ) async throws -> JSONObject? {
        guard let target, let token = parameters["ACCESS_TOKEN"] else { return nil }
        let (session, _) = try await calls.directory.checkCognito(token, at: calls.directory.now)
        try call.isBy(session)
        guard session.facts.clientID == client.id else { throw Rejection.tokenInvalid }
        try await require(name, of: session)
        let facts = session.facts
        guard try target.course(from: facts.proofs, provedAt: facts.authTime, at: calls.directory.now) == .raise else {
            return nil
        }
        let device = parameters["DEVICE_KEY"]
        let request = asked(client, device: device, wish: target.wish, call)
        return try await answer(try await raise(session, request), name, device, client, call)
    }

    private func raise(_ session: SessionSnapshot, _ request: SignInRequest) async throws -> SignInOutcome {
        do {
            return try await flows.stepUp(session, request)
        } catch Rejection.noSecondFactor {
            // Clients of the flow do not know the exception of second factors.
            throw CognitoError(
                .invalidParameter, "The user has no factor for the requested level.",
                code: Rejection.noSecondFactor.code)
        }
    }

    /// - Throws: ``CognitoError`` for the name of another user; it ends no session of an SDK.
    private func require(_ name: String, of session: SessionSnapshot) async throws {
        let key = SignInName(name)?.key
        let names = try await sessions.userNames(of: session.facts.session)
        guard names.contains(where: { $0 == name || key != nil && SignInName($0)?.key == key }) else {
            throw CognitoError.invalid("USERNAME is not the user of ACCESS_TOKEN.")
        }
    }
}
