import Cryptography
import FoundationEssentials

/// A sign-in that waits for an answer; every answer that is taken begins a new one.
struct PoolSession: Sendable {
    enum Step: Sendable {
        /// The password's proof; afterwards a challenge of the operator's own, or none.
        case proof(SRPServer, clientValue: String, secretBlock: String, isCustom: Bool)
        case firstFactor
        /// A password, plain or by SRP, that was asked for without being offered beside others.
        case password(String)
        case code(String)
        case softwareToken
        case secondFactor([String])
        case newPassword
        /// What was set up so far: a secret, and whether a code of it has come.
        case setUp(secret: String?, isVerified: Bool)
        case custom(Int)
        case passkey(challenge: String)
    }

    let id: String
    let client: PoolClient
    /// The user's id; a decoy's means nobody.
    let user: String
    let step: Step
    let expires: Date
    var failures = 0

    /// Which challenge an answer has to name.
    var challenge: String {
        switch step {
        case .proof: "PASSWORD_VERIFIER"
        case .firstFactor: "SELECT_CHALLENGE"
        case .password(let name), .code(let name): name
        case .softwareToken: "SOFTWARE_TOKEN_MFA"
        case .secondFactor: "SELECT_MFA_TYPE"
        case .newPassword: "NEW_PASSWORD_REQUIRED"
        case .setUp: "MFA_SETUP"
        case .custom: "CUSTOM_CHALLENGE"
        case .passkey: "WEB_AUTHN"
        }
    }
}
