import FoundationEssentials
import JSON

extension UserPoolState {
    mutating func checkCode(
        _ kind: String, _ session: PoolSession, _ user: PoolUser, _ responses: [String: String]
    ) throws(Refusal) {
        let code = try responses.demanded(kind + "_CODE")
        do {
            try change(user) { user throws(Refusal) in try user.spend(code, for: kind) }
        } catch {
            fail(session)
            throw error == .wrongCode ? .wrongSecondFactor : error
        }
        spend(session)
    }

    mutating func checkSoftwareToken(
        _ session: PoolSession, _ user: PoolUser, _ responses: [String: String], at now: Date
    ) throws(Refusal) {
        let code = try responses.demanded("SOFTWARE_TOKEN_MFA_CODE")
        guard let secret = user.totpSecret else {
            throw .userPool("SoftwareTokenMFANotFoundException", "Software Token MFA has not been enabled")
        }
        do {
            try change(user) { user throws(Refusal) in try user.spend(totp: code, secret: secret, at: now) }
        } catch {
            fail(session, limit: 5)
            throw error
        }
        spend(session)
    }

    /// Takes a custom answer: a wrong one asks again, in a new session, until the third.
    mutating func takeCustom(
        _ number: Int, _ session: PoolSession, _ user: PoolUser, _ responses: [String: String], at now: Date,
        mint: Mint
    ) throws -> JSONObject {
        let answer = try responses.demanded("ANSWER")
        spend(session)
        let isRight = user.customChallenges[number].answer.hasSameBytes(as: answer)
        guard isRight else {
            guard try change(user, { $0.countCustomFailure() }) < 3 else { throw Refusal.invalidSession }
            return try challenge(user, number: number, session.client, at: now)
        }
        guard number + 1 < user.customChallenges.count else {
            return try tokens(user, session.client, at: now, mint: mint)
        }
        return try challenge(user, number: number + 1, session.client, at: now)
    }
}
