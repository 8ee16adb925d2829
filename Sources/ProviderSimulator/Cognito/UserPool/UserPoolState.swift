import Cryptography
import FoundationEssentials
import JSON

/// Clients, users and pending sign-ins of all simulated pools.
struct UserPoolState: Sendable {
    struct RefreshToken: Sendable {
        let client: String
        var isRevoked = false
    }

    /// Makes the tokens of a signed-in user.
    typealias Mint = (PoolUser, PoolClient, Date) throws -> JSONObject

    private(set) var clients: [String: PoolClient] = [
        Defaults.cognitoClient: PoolClient(id: Defaults.cognitoClient)
    ]
    private(set) var users: [PoolUser] = []
    private var sessions: [String: PoolSession] = [:]
    private var spentSessions: Set<String> = []
    var refreshTokens: [String: RefreshToken] = [:]

    mutating func add(_ client: PoolClient) { clients[client.id] = client }

    /// Replaces one with the same name or id.
    mutating func add(_ user: PoolUser) {
        users.removeAll { $0.isNamed(user.username, in: user.pool) || $0.isNamed(user.id, in: user.pool) }
        users.append(user)
    }

    func client(_ request: UserPoolRequest) throws(Refusal) -> PoolClient {
        let id = request.text("ClientId")
        guard let client = clients[id] else {
            throw .userPool("ResourceNotFoundException", "User pool client \(id) does not exist.")
        }
        return client
    }

    func user(_ name: String, of client: PoolClient) -> PoolUser? {
        users.first { $0.isNamed(name, in: client.pool) }
    }

    mutating func replace(_ user: PoolUser) {
        guard let index = users.firstIndex(where: { $0.isNamed(user.id, in: user.pool) }) else { return }
        users[index] = user
    }

    /// Changes a user, even if the change ends in a refusal: failures must be counted.
    mutating func change<Value>(
        _ user: PoolUser, _ change: (inout PoolUser) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
        var changed = user
        defer { replace(changed) }
        return try change(&changed)
    }

    // MARK: Sessions

    /// Begins a session and returns the answer with its challenge.
    mutating func ask(
        _ step: PoolSession.Step, _ user: String, _ client: PoolClient, _ parameters: JSONObject, at now: Date
    ) -> JSONObject {
        let session = PoolSession(
            id: RandomText.base64URL(48), client: client, user: user, step: step,
            expires: now + Double(client.sessionLife))
        sessions[session.id] = session
        return [
            "ChallengeName": .string(session.challenge), "Session": .string(session.id),
            "ChallengeParameters": .object(parameters),
        ]
    }

    /// The session of a request, by its id or its secret block.
    ///
    /// Some clients send a proof without a session.
    func session(_ request: UserPoolRequest, block: String? = nil) throws(Refusal) -> PoolSession {
        guard let id = request.optional("Session") else {
            guard let block else { throw .missing("Session") }
            guard let found = sessions.values.first(where: { $0.isProof(of: block) }) else { throw .wrongCredentials }
            return try live(found, at: request.now)
        }
        guard !spentSessions.contains(id) else { throw .spentSession }
        guard let session = sessions[id] else { throw .invalidSession }
        return try live(session, at: request.now)
    }

    private func live(_ session: PoolSession, at now: Date) throws(Refusal) -> PoolSession {
        guard now < session.expires else { throw .invalidSession }
        return session
    }

    /// Refuses every further answer to the session.
    mutating func spend(_ session: PoolSession) {
        sessions[session.id] = nil
        spentSessions.insert(session.id)
    }

    /// Counts a wrong answer: the session allows so many of them.
    mutating func fail(_ session: PoolSession, limit: Int = 3) {
        var failed = session
        failed.failures += 1
        sessions[session.id] = failed
        if failed.failures >= limit { spend(session) }
    }
}

extension PoolSession {
    fileprivate func isProof(of block: String) -> Bool {
        guard case .proof(_, _, let own, _) = step else { return false }
        return own.hasSameBytes(as: block)
    }
}
