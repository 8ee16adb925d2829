import Cryptography
import FoundationEssentials

/// A pending sign-in; every accepted answer begins a new one.
struct PoolSession: Sendable {
    enum Step: Sendable {
        /// The proof of the password, perhaps followed by the operator's own challenge.
        case proof(SRPServer, clientValue: String, secretBlock: String, isCustom: Bool)
        case firstFactor
        /// A requested password, plain or by SRP, without a choice of other factors.
        case password(String)
        case code(String)
        case softwareToken
        case secondFactor([String])
        case newPassword
        /// The state of the set-up: a secret, and whether one of its codes was accepted.
        case setUp(secret: String?, isVerified: Bool)
        case custom(Int)
        case passkey(challenge: String)
    }

    let id: String
    let client: PoolClient
    /// The user's id; a decoy's id has no user.
    let user: String
    let step: Step
    let expires: Date
    var failures = 0

    /// The challenge that an answer must name.
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
