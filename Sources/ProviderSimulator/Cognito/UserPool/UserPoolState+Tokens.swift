import Cryptography
import FoundationEssentials
import JSON

extension UserPoolState {
    /// The next step after a right password: a new password, a second factor, or the tokens.
    mutating func afterPassword(
        _ user: PoolUser, _ client: PoolClient, at now: Date, mint: Mint
    ) throws -> JSONObject {
        guard user.status == .forceChangePassword else { return try afterFactors(user, client, at: now, mint: mint) }
        let known = JSONObject(
            user.attributes.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) })
        let demanded = user.requiredAttributes.map { JSON.string("userAttributes." + $0) }
        return ask(
            .newPassword, user.id, client,
            [
                "USER_ID_FOR_SRP": .string(user.id), "requiredAttributes": .string(JSON.array(demanded).text),
                "userAttributes": .string(JSON.object(known).text),
            ], at: now)
    }

    /// The preferred second factor, the only one, or a choice; its set-up if a required one is missing.
    mutating func afterFactors(
        _ user: PoolUser, _ client: PoolClient, at now: Date, mint: Mint
    ) throws -> JSONObject {
        if let only = user.preferredFactor ?? (user.factors.count == 1 ? user.factors[0] : nil) {
            return try begin(only, user, client, at: now)
        }
        guard user.factors.isEmpty else {
            let names = JSON.array(user.factors.map(JSON.string)).text
            return ask(
                .secondFactor(user.factors), user.id, client,
                ["MFAS_CAN_CHOOSE": .string(names), "USER_ID_FOR_SRP": .string(user.id)], at: now)
        }
        guard user.setUpChoices.isEmpty else {
            let names = JSON.array(user.setUpChoices.map(JSON.string)).text
            return ask(
                .setUp(secret: nil, isVerified: false), user.id, client,
                ["MFAS_CAN_SETUP": .string(names), "USER_ID_FOR_SRP": .string(user.id)], at: now)
        }
        return try tokens(user, client, at: now, mint: mint)
    }

    mutating func tokens(
        _ user: PoolUser, _ client: PoolClient, at now: Date, mint: Mint
    ) throws -> JSONObject {
        let refresh = RandomText.base64URL(64)
        refreshTokens[refresh] = RefreshToken(client: client.id)
        var result = try mint(user, client, now)
        result["RefreshToken"] = .string(refresh)
        result["ExpiresIn"] = 3_600
        result["TokenType"] = "Bearer"
        return ["AuthenticationResult": .object(result), "ChallengeParameters": [:]]
    }

    mutating func revoke(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let client = try client(request)
        let token = request.text("Token")
        if let secret = client.secret {
            guard request.optional("ClientSecret")?.hasSameBytes(as: secret) ?? false else {
                throw .userPool("UnauthorizedException", "The client secret is missing or wrong.")
            }
        }
        guard client.canRevoke else {
            throw .userPool("UnsupportedOperationException", "Token revocation is not enabled for this client.")
        }
        guard let known = refreshTokens[token] else {
            throw .userPool("UnsupportedTokenTypeException", "Only refresh tokens can be revoked.")
        }
        guard known.client == client.id else {
            throw .userPool("UnauthorizedException", "The token was issued to another client.")
        }
        refreshTokens[token]?.isRevoked = true
        return [:]
    }

    // MARK: Set-up of a second factor

    mutating func associate(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let session = try session(request)
        guard case .setUp = session.step, let user = user(session.user, of: session.client) else {
            throw .invalidSession
        }
        guard user.setUpChoices.contains("SOFTWARE_TOKEN_MFA") else {
            throw .userPool(
                "SoftwareTokenMFANotFoundException", "Software Token MFA has not been enabled by the userPool")
        }
        spend(session)
        let secret = Base32.encode(RandomBytes.system(32))
        let next = ask(
            .setUp(secret: secret, isVerified: false), user.id, session.client, [:], at: request.now)
        return ["SecretCode": .string(secret), "Session": next["Session"] ?? .null]
    }

    mutating func verify(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let session = try session(request)
        guard case .setUp(let secret?, _) = session.step, var user = user(session.user, of: session.client) else {
            throw .invalidSession
        }
        do {
            try user.spend(totp: request.text("UserCode"), secret: secret, at: request.now)
        } catch {
            fail(session, limit: 5)
            throw .userPool(
                "EnableSoftwareTokenMFAException", "Code mismatch and fail enable Software Token MFA")
        }
        replace(user)
        spend(session)
        let next = ask(
            .setUp(secret: secret, isVerified: true), user.id, session.client, [:], at: request.now)
        return ["Status": "SUCCESS", "Session": next["Session"] ?? .null]
    }

    mutating func finishSetUp(
        _ session: PoolSession, _ user: PoolUser, _ responses: [String: String],
        _ made: (secret: String?, isVerified: Bool), at now: Date, mint: Mint
    ) throws -> JSONObject {
        if let address = responses["EMAIL"] {
            guard user.setUpChoices.contains("EMAIL_OTP") else { throw Refusal.parameter("EMAIL can't be set up") }
            guard address.contains("@") else { throw Refusal.parameter("Invalid email address format.") }
            spend(session)
            var changed = user
            changed.attributes["email"] = address
            changed.factors = ["EMAIL_OTP"]
            replace(changed)
            return try begin("EMAIL_OTP", changed, session.client, at: now)
        }
        guard made.isVerified, let secret = made.secret else { throw Refusal.invalidSession }
        spend(session)
        var changed = user
        (changed.totpSecret, changed.factors) = (secret, ["SOFTWARE_TOKEN_MFA"])
        replace(changed)
        return try tokens(changed, session.client, at: now, mint: mint)
    }
}
