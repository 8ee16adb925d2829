import FoundationEssentials
import JSON

/// A user of a pool, with the properties that decide the steps of a sign-in.
struct PoolUser: Sendable {
    enum Status: String, Sendable, CaseIterable {
        case confirmed, unconfirmed
        case forceChangePassword = "force_change_password"
        case resetRequired = "reset_required"
    }

    let pool: String
    /// The typed name; the user's address or number works as well.
    let username: String
    /// Cognito's name of the user: with sign-in by address, the username is the `sub`.
    let id: String
    var password: String?
    var status = Status.confirmed
    var isEnabled = true
    var attributes: [String: String] = [:]
    /// Required together with a new password.
    var requiredAttributes: [String] = []
    /// Second factors, by challenge name.
    var factors: [String] = []
    var preferredFactor: String?
    /// The factors that can be set up when a second factor is required and missing.
    var setUpChoices: [String] = []
    /// First factors in addition to the password, by challenge name.
    var firstFactors: [String] = []
    var customChallenges: [CustomChallenge] = []
    /// A trigger's refusal of the sign-in.
    var triggerError: String?
    var isTemporaryPasswordExpired = false
    var isLimited = false
    var totpSecret: String?
    var totpCounterUsed: Int?
    var passkey: SimulatedPasskey?
    /// The last code by purpose: `confirm_sign_up`, `reset_password`, or a challenge name.
    var codes: [String: String] = [:]
    var oldPasswords: [String] = []
    private var customFailures = 0
    private var failures = 0
    private var lockedUntil: Date?

    struct CustomChallenge: Sendable, Equatable {
        let parameters: [String: String]
        let answer: String
    }

    init(pool: String, username: String, id: String) {
        (self.pool, self.username, self.id) = (pool, username, id)
    }

    func isNamed(_ name: String, in pool: String) -> Bool {
        guard pool.hasSameBytes(as: self.pool) else { return false }
        let names = [username, id, attributes["email"], attributes["phone_number"]]
        return names.contains { $0?.hasSameBytes(as: name) ?? false }
    }

    // MARK: Passwords

    /// Throws a refusal for the user's state, whether the password is right or wrong.
    ///
    /// Five wrong passwords lock the user for increasing times.
    mutating func admit(isRight: Bool, at now: Date) throws(Refusal) {
        if let lockedUntil, now < lockedUntil { throw .notAuthorized("Password attempts exceeded") }
        if let triggerError {
            throw .userPool("UserLambdaValidationException", "PreAuthentication failed with error \(triggerError).")
        }
        guard status != .unconfirmed else { throw .userPool("UserNotConfirmedException", "User is not confirmed.") }
        guard status != .resetRequired else {
            throw .userPool("PasswordResetRequiredException", "Password reset required for the user")
        }
        guard isRight else {
            failures += 1
            if failures >= 5 { lockedUntil = now + Double(min(900, 1 << min(failures - 5, 10))) }
            throw .wrongCredentials
        }
        guard isEnabled else { throw .notAuthorized("User is disabled.") }
        guard status != .forceChangePassword || !isTemporaryPasswordExpired else {
            throw .notAuthorized("Temporary password has expired and must be reset by an administrator")
        }
        (failures, lockedUntil) = (0, nil)
    }

    /// Sets a password by the policy: eight characters of four kinds, and none of the old ones.
    mutating func set(password new: String) throws(Refusal) {
        let rules: [(Bool, String)] = [
            (new.unicodeScalars.count >= 8, "Password not long enough"),
            (new.contains(where: \.isLowercase), "Password must have lowercase characters"),
            (new.contains(where: \.isUppercase), "Password must have uppercase characters"),
            (new.contains(where: \.isNumber), "Password must have numeric characters"),
            (new.contains { !$0.isLetter && !$0.isNumber }, "Password must have symbol characters"),
        ]
        if let broken = rules.first(where: { !$0.0 }) {
            throw .userPool(
                "InvalidPasswordException", "Password did not conform with policy: \(broken.1)")
        }
        guard !oldPasswords.contains(where: new.hasSameBytes), password.map(new.hasSameBytes) != true else {
            throw .userPool(
                "PasswordHistoryPolicyViolationException", "Password has previously been used.")
        }
        if let password { oldPasswords.append(password) }
        (password, status) = (new, .confirmed)
        (failures, lockedUntil) = (0, nil)
    }

    /// The number of wrong answers to custom challenges, including this one.
    mutating func countCustomFailure() -> Int {
        customFailures += 1
        return customFailures
    }
}
