import Cryptography
import FoundationEssentials
import JSON
import Outbound

/// The calls to a user pool for one of our requests, under one deadline.
struct CognitoConversation {
    /// The values between two calls, which never leave this server.
    struct Hand {
        /// The step to return to after a refusal; nil at the beginning, where a refusal ends the sign-in.
        var flow: CognitoFlow?
        var username: String
        var password: Secret?
        var proof: SRPClient?
        var isFirstFactor = false
    }

    let provider: CognitoProvider
    /// Our client id at the pool.
    let clientID: String
    let context: StepwiseContext
    let deadline: Upstream.Deadline

    private var configuration: CognitoProvider.Configuration { provider.configuration }

    func flow(_ state: JSON) -> CognitoFlow? {
        CognitoFlow(state, pool: configuration.userPoolID, clientID: clientID)
    }

    func state(_ flow: CognitoFlow) -> JSON {
        flow.state(pool: configuration.userPoolID, clientID: clientID)
    }

    func step(_ step: ProviderStep, _ flow: CognitoFlow, life: Int? = nil) -> StepwiseAnswer {
        .step(step, state: state(flow), expiresIn: life ?? configuration.sessionLife)
    }

    func again(_ refusal: StepRefusal, _ flow: CognitoFlow) -> StepwiseAnswer {
        .again(refusal, state: state(flow))
    }

    /// The error for an answer that the API page does not describe.
    func malformed() -> ProviderError {
        provider.upstream.failure("upstream_malformed")
    }

    // MARK: Calls

    /// Calls an operation that takes the client and, at top level, a username with its secret hash.
    func call(
        _ operation: CognitoAPI.Operation, username: String, _ members: JSONObject
    ) async throws(ProviderError) -> CognitoAPI.Reply {
        var members = members
        members["Username"] = .string(username)
        if let hash = secretHash(username) { members["SecretHash"] = .string(hash) }
        return try await send(operation, members)
    }

    func initiate(
        _ flow: String, username: String, _ parameters: JSONObject
    ) async throws(ProviderError) -> CognitoAPI.Reply {
        try await send(
            .initiateAuth,
            ["AuthFlow": .string(flow), "AuthParameters": .object(identified(parameters, username))])
    }

    func respond(
        to challenge: String, session: String?, username: String, _ responses: JSONObject
    ) async throws(ProviderError) -> CognitoAPI.Reply {
        var members: JSONObject = [
            "ChallengeName": .string(challenge), "ChallengeResponses": .object(identified(responses, username)),
        ]
        if let session { members["Session"] = .string(session) }
        return try await send(.respondToAuthChallenge, members)
    }

    /// A call that only a session or a token authenticates.
    func bare(
        _ operation: CognitoAPI.Operation, _ members: JSONObject
    ) async throws(ProviderError) -> CognitoAPI.Reply {
        try await provider.api.call(operation, members, by: deadline)
    }

    private func send(
        _ operation: CognitoAPI.Operation, _ members: JSONObject
    ) async throws(ProviderError) -> CognitoAPI.Reply {
        var members = members
        members["ClientId"] = .string(clientID)
        // Cognito reads it only from a client with a secret.
        if let address = context.callerAddress, configuration.clientSecret != nil {
            members["UserContextData"] = ["IpAddress": .string(address)]
        }
        return try await bare(operation, members)
    }

    private func identified(_ members: JSONObject, _ username: String) -> JSONObject {
        var members = members
        members["USERNAME"] = .string(username)
        if let hash = secretHash(username) { members["SECRET_HASH"] = .string(hash) }
        return members
    }

    private func secretHash(_ username: String) -> String? {
        guard let secret = configuration.clientSecret else { return nil }
        return Base64Text.encode(HMACSHA256.code(Array((username + clientID).utf8), key: secret.revealed))
    }

    // MARK: The end

    /// Finishes with the pool's tokens: the ID token gives the identity, the others are revoked.
    ///
    /// The access or refresh token allows changes to the user in the pool. They are therefore revoked even when the ID
    /// token is refused. If the revocation fails, they are discarded.
    func finish(_ tokens: JSONObject) async throws(ProviderError) -> StepwiseAnswer {
        let identity = await identified(by: tokens)
        if let refresh = tokens["RefreshToken"]?.string {
            var members: JSONObject = ["Token": .string(refresh), "ClientId": .string(clientID)]
            if let secret = configuration.clientSecret { members["ClientSecret"] = .string(secret.revealedText) }
            _ = try? await bare(.revokeToken, members)
        }
        return .verified(try identity.get())
    }

    private func identified(by tokens: JSONObject) async -> Result<ExternalIdentity, ProviderError> {
        do throws(ProviderError) {
            guard let text = tokens["IdToken"]?.string, let jwt = try? JWT(parsing: text) else { throw malformed() }
            return .success(try await provider.identity(of: jwt, boughtBy: clientID, at: context.now))
        } catch {
            return .failure(error)
        }
    }
}
