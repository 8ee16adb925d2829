import GatewayClient

/// The sessions of a ``FakeGateway`` and their tokens.
struct FakeTokens {
    /// The account's id has the number 1; those of its identity and its sessions follow.
    private var idCount = 1
    private var identityID: String?
    private var accessCount = 0
    private var refreshCount = 0
    private var nonceCount = 0
    /// Session by access token and by refresh token.
    private var owners: [String: String] = [:]
    /// The successor of each refresh token that was used.
    private var successors: [String: String] = [:]
    /// Reason by session.
    private var ended: [String: String] = [:]

    private mutating func newID() -> String {
        idCount += 1
        let digits = String(idCount)
        return "00000000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// The identity of the account at a provider.
    mutating func identity(at provider: String) -> JSONValue {
        let id = identityID ?? newID()
        identityID = id
        return ["id": .string(id), "provider": .string(provider), "subject": "subject-1"]
    }

    mutating func newNonce() -> String {
        nonceCount += 1
        return "nonce-\(nonceCount)"
    }

    /// The tokens of a new session.
    mutating func begin(isBound: Bool) -> JSONValue {
        let session = newID()
        return members(session, newRefreshToken(of: session), isBound)
    }

    /// The next tokens; a used refresh token gets the same successor, as within the grace period.
    mutating func refresh(_ token: String?, isBound: Bool) -> JSONValue {
        let token = token ?? ""
        let session = owners[token] ?? ""
        let successor = successors[token] ?? newRefreshToken(of: session)
        successors[token] = successor
        return members(session, successor, isBound)
    }

    mutating func signOut(_ accessToken: String?, everywhere: Bool) {
        if everywhere { return endAll("signed_out") }
        if let session = accessToken.flatMap({ owners[$0] }) { ended[session] = "signed_out" }
    }

    mutating func endAll(_ reason: String) {
        for session in owners.values where ended[session] == nil { ended[session] = reason }
    }

    func refusal(ofAccessToken token: String) -> Refusal? {
        guard let session = owners[token] else {
            return Refusal(.accessTokenInvalid, 401, "Sign in again", challenge: true)
        }
        return ended[session].map(Refusal.sessionEnded)
    }

    func refusal(ofRefreshToken token: String?) -> Refusal? {
        guard let session = owners[token ?? ""] else {
            return Refusal(.refreshTokenInvalid, 401, "Sign in again", challenge: true)
        }
        return ended[session].map(Refusal.sessionEnded)
    }

    private mutating func newRefreshToken(of session: String) -> String {
        refreshCount += 1
        owners["refresh-token-\(refreshCount)"] = session
        return "refresh-token-\(refreshCount)"
    }

    private mutating func members(_ session: String, _ refreshToken: String, _ isBound: Bool) -> JSONValue {
        accessCount += 1
        owners["access-token-\(accessCount)"] = session
        return [
            "id": .string(session), "token_type": isBound ? "DPoP" : "Bearer",
            "access_token": .string("access-token-\(accessCount)"), "expires_in": 600,
            "refresh_token": .string(refreshToken), "refresh_expires_in": 2_592_000,
        ]
    }
}
