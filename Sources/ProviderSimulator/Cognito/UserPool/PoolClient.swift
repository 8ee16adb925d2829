import Cryptography
import FoundationEssentials
import JSON

/// An app client of a user pool.
struct PoolClient: Sendable, Equatable {
    static let allFlows: Set<String> = [
        "USER_SRP_AUTH", "USER_PASSWORD_AUTH", "USER_AUTH", "CUSTOM_AUTH",
    ]

    let id: String
    var pool = Defaults.cognitoPool
    var secret: String?
    var flows = allFlows
    /// Whether unknown users look like known ones.
    var preventsUserExistenceErrors = true
    /// `AuthSessionValidity`, in seconds.
    var sessionLife = 180
    var canRevoke = true

    /// Throws Cognito's refusal of a flow that the client's settings do not include.
    func expectFlow(_ flow: String) throws(Refusal) {
        guard Self.allFlows.contains(flow) else {
            throw .constraint("Value '\(flow)'", "AuthFlow", "Member must satisfy enum value set")
        }
        guard flows.contains(flow) else {
            throw .parameter(
                flow == "USER_SRP_AUTH"
                    ? "\(flow) is not enabled for the client." : "\(flow) flow not enabled for this client")
        }
    }

    /// Checks the secret hash of the client for the request's username.
    func expectSecretHash(_ hash: String?, of username: String) throws(Refusal) {
        guard let secret else {
            guard hash == nil else { throw .notAuthorized("Unable to verify secret hash for client \(id)") }
            return
        }
        guard let hash else {
            throw .notAuthorized("Client \(id) is configured with secret but SECRET_HASH was not received")
        }
        let expected = Data(HMACSHA256.code(Array((username + id).utf8), key: Array(secret.utf8)))
        guard expected.base64EncodedString().hasSameBytes(as: hash) else {
            throw .notAuthorized("Unable to verify secret hash for client \(id)")
        }
    }
}
