import Cryptography
import FoundationEssentials
import JSON

extension UserPoolState {
    private static let challenges: Set<String> = [
        "PASSWORD_VERIFIER", "SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP", "SMS_OTP", "SELECT_MFA_TYPE", "MFA_SETUP",
        "SELECT_CHALLENGE", "PASSWORD", "PASSWORD_SRP", "WEB_AUTHN", "NEW_PASSWORD_REQUIRED", "CUSTOM_CHALLENGE",
        "DEVICE_SRP_AUTH", "DEVICE_PASSWORD_VERIFIER", "ADMIN_NO_SRP_AUTH",
    ]

    mutating func respond(_ request: UserPoolRequest, mint: Mint) throws -> JSONObject {
        let client = try client(request)
        let name = request.text("ChallengeName")
        guard Self.challenges.contains(name) else {
            throw Refusal.constraint("Value '\(name)'", "ChallengeName", "Member must satisfy enum value set")
        }
        let responses = request.map("ChallengeResponses")
        let username = try responses.demanded("USERNAME")
        try client.expectSecretHash(responses["SECRET_HASH"], of: username)
        let session = try session(request, block: responses["PASSWORD_CLAIM_SECRET_BLOCK"])
        guard session.client.id == client.id, session.challenge == name else { throw Refusal.invalidSession }
        guard let user = user(session.user, of: client) else {
            // A decoy: any proof is wrong.
            spend(session)
            throw Refusal.wrongCredentials
        }
        guard user.isNamed(username, in: client.pool) else { throw Refusal.invalidSession }
        return try answer(session, user, responses, at: request.now, mint: mint)
    }

    private mutating func answer(
        _ session: PoolSession, _ user: PoolUser, _ responses: [String: String], at now: Date, mint: Mint
    ) throws -> JSONObject {
        let client = session.client
        switch session.step {
        case .proof(let server, let value, let block, let isCustom):
            let admitted = try checkProof(session, user, responses, server, value, block, at: now)
            guard !isCustom else { return try challenge(admitted, client, at: now) }
            return try afterPassword(admitted, client, at: now, mint: mint)
        case .firstFactor: return try takeFirstFactor(session, user, responses, at: now, mint: mint)
        case .password(let kind):
            return try takePassword(kind, session, user, responses, at: now, mint: mint)
        case .code(let kind):
            try checkCode(kind, session, user, responses)
            return try tokens(user, client, at: now, mint: mint)
        case .softwareToken:
            try checkSoftwareToken(session, user, responses, at: now)
            return try tokens(user, client, at: now, mint: mint)
        case .secondFactor(let offered):
            let chosen = try responses.demanded("ANSWER")
            guard offered.contains(chosen) else { throw Refusal.parameter("ANSWER is none of the offered factors") }
            spend(session)
            return try begin(chosen, user, client, at: now)
        case .newPassword:
            return try afterFactors(takeNewPassword(session, user, responses), client, at: now, mint: mint)
        case .setUp(let secret, let isVerified):
            return try finishSetUp(session, user, responses, (secret, isVerified), at: now, mint: mint)
        case .custom(let number):
            return try takeCustom(number, session, user, responses, at: now, mint: mint)
        case .passkey(let challenge):
            spend(session)
            guard user.passkey?.accepts(try responses.demanded("CREDENTIAL"), challenge: challenge) ?? false else {
                throw Refusal.wrongCredentials
            }
            return try tokens(user, client, at: now, mint: mint)
        }
    }

    // MARK: Passwords

    private mutating func checkProof(
        _ session: PoolSession, _ user: PoolUser, _ responses: [String: String], _ server: SRPServer, _ value: String,
        _ block: String, at now: Date
    ) throws(Refusal) -> PoolUser {
        let sent = try responses.demanded("PASSWORD_CLAIM_SECRET_BLOCK")
        let timestamp = try responses.demanded("TIMESTAMP")
        let signature = Data(base64Encoded: try responses.demanded("PASSWORD_CLAIM_SIGNATURE"))
        spend(session)
        let isRight = server.accepts(
            Array(signature ?? Data()), realm: session.client.realm, user: user.id, clientValue: value,
            secretBlock: Array(Data(base64Encoded: block) ?? Data()), timestamp: timestamp)
        let isTimely = ClaimTime.isTimely(timestamp, at: now)
        return try change(user) { user throws(Refusal) in
            try user.admit(
                isRight: isRight && isTimely && sent.hasSameBytes(as: block) && user.password != nil, at: now)
            return user
        }
    }

    private mutating func takeFirstFactor(
        _ session: PoolSession, _ user: PoolUser, _ responses: [String: String], at now: Date, mint: Mint
    ) throws -> JSONObject {
        let chosen = try responses.demanded("ANSWER")
        if user.password != nil, ["PASSWORD", "PASSWORD_SRP"].contains(chosen) {
            return try takePassword(chosen, session, user, responses, at: now, mint: mint)
        }
        guard user.firstFactors.contains(chosen) else {
            throw Refusal.parameter("ANSWER is none of the available challenges")
        }
        spend(session)
        return try begin(chosen, user, session.client, at: now)
    }

    private mutating func takePassword(
        _ kind: String, _ session: PoolSession, _ user: PoolUser, _ responses: [String: String], at now: Date,
        mint: Mint
    ) throws -> JSONObject {
        if kind == "PASSWORD" {
            let password = try responses.demanded("PASSWORD")
            spend(session)
            return try enter(user.id, password: password, session.client, at: now, mint: mint)
        }
        let value = try responses.demanded("SRP_A")
        spend(session)
        return try prove(user.id, clientValue: value, session.client, isCustom: false, at: now)
    }

    private mutating func takeNewPassword(
        _ session: PoolSession, _ user: PoolUser, _ responses: [String: String]
    ) throws(Refusal) -> PoolUser {
        let password = try responses.demanded("NEW_PASSWORD")
        let prefix = "userAttributes."
        let given = responses.filter { $0.key.hasPrefix(prefix) }
        let changed = try change(user) { user throws(Refusal) in
            for name in user.requiredAttributes
            where user.attributes[name] == nil && given[prefix + name]?.isEmpty ?? true {
                throw .parameter("Invalid user attributes: \(name) is required.")
            }
            for (key, value) in given {
                let name = String(key.dropFirst(prefix.count))
                guard !value.contains("\u{0}"), user.attributes[name] == nil else {
                    throw .parameter("Cannot modify an already provided \(name)")
                }
            }
            try user.set(password: password)
            for (key, value) in given { user.attributes[String(key.dropFirst(prefix.count))] = value }
            return user
        }
        spend(session)
        return changed
    }
}
