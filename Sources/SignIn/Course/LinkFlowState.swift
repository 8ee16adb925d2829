import Accounts
import Foundation
import JSON
import Vocabulary

/// The stored identity of a link flow.
///
/// Version 1.
struct LinkFlowState: Sendable, Equatable {
    /// The id of the identity once it is linked.
    let identityID: UUID
    let identity: VerifiedIdentity
    let token: SealedProviderToken?
    /// The time of the proof at the provider, in whole seconds.
    let provedAt: Date
    /// Why a sign-in by address links the identity once its steps are done; nil where another sign-in proves the account.
    var reason: Reason?

    /// The decision of a sign-in by address (`sign_in/apply_link_flow.sql`).
    struct Reason: Sendable, Equatable {
        let rule: LinkingPolicy.Rule
        let explain: JSON
        /// The address that the account must still have.
        let addressKey: String
    }
}

extension LinkFlowState {
    var json: JSON {
        var object: JSONObject = [
            "version": 1, "identity": .string(identityID.text), "provider": .string(identity.provider),
            "realm": .string(identity.realm),
            "subject": .string(identity.subject), "email_verified": .bool(identity.emailVerified),
            "email_is_relay": .bool(identity.emailIsRelay),
            "proved_at": .integer(Int(provedAt.timeIntervalSince1970)),
        ]
        object["email"] = identity.email.map(JSON.string)
        object["display_name"] = identity.displayName.map(JSON.string)
        object["tokens"] = token.map { token in
            [["client_id": .string(token.clientID), "sealed": .string(Data(token.sealed).base64EncodedString())]]
        }
        if let reason {
            object["rule"] = .string(reason.rule.rawValue)
            object["explain"] = reason.explain
            object["address_key"] = .string(reason.addressKey)
        }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard json["version"]?.integer == 1, let id = json["identity"]?.string.flatMap(UUID.init(text:)),
            let identity = VerifiedIdentity(json), let proved = json["proved_at"]?.integer
        else { return nil }
        (identityID, self.identity) = (id, identity)
        provedAt = Date(timeIntervalSince1970: TimeInterval(proved))
        let stored = json["tokens"]?.array?.first
        if let client = stored?["client_id"]?.string,
            let sealed = stored?["sealed"]?.string.flatMap({ Data(base64Encoded: $0) })
        {
            token = SealedProviderToken(clientID: client, sealed: Array(sealed))
        } else {
            token = nil
        }
    }
}

extension VerifiedIdentity {
    fileprivate init?(_ json: JSON) {
        guard let provider = json["provider"]?.string, let realm = json["realm"]?.string,
            let subject = json["subject"]?.string,
            let verified = json["email_verified"]?.bool, let isRelay = json["email_is_relay"]?.bool
        else { return nil }
        (self.provider, self.realm, self.subject) = (provider, realm, subject)
        (email, displayName) = (json["email"]?.string, json["display_name"]?.string)
        (emailVerified, emailIsRelay) = (verified, isRelay)
        // A link flow keeps none: the next sign-in has them again.
        attributes = [:]
        // An identity that waited is no recent proof.
        isDated = false
    }
}
