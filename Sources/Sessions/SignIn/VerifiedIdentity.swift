import Accounts
import Cryptography
import Foundation
import JSON
import Providers

/// The part of a verified provider identity that is stored.
struct VerifiedIdentity: Sendable, Equatable {
    let provider: String
    let realm: String
    let subject: String
    let email: String?
    let emailVerified: Bool
    let emailIsRelay: Bool
    let displayName: String?
    /// The facts that fill missing attributes of the account.
    let attributes: [String: String]
    /// Whether the provider stated when the user signed in.
    let isDated: Bool
    /// The identity under the app's former team.
    var former: FormerIdentity?

    init(_ external: ExternalIdentity) {
        (provider, realm, subject) = (external.provider.rawValue, external.realm, external.subject)
        email = external.email?.address
        emailVerified = external.email?.authority == .verifiedByAuthority
        emailIsRelay = external.email?.isRelay ?? false
        displayName = external.displayName
        attributes = external.attributes
        isDated = external.authenticatedAt != nil
        former = external.former
    }

    /// The address; nil without one.
    var address: EmailAddress? { email.flatMap(EmailAddress.init) }

    /// The proof of a sign-in with this identity.
    var proof: Proof { Proof(.provider, address: address?.key, isUndated: !isDated) }

    /// The address for linking; relay addresses never link accounts.
    var linkingKey: String? { emailIsRelay ? nil : address?.key }
}

/// A single-use thing.
struct Spending: Sendable, Equatable {
    enum Kind: Sendable {
        case credential, nonce, state
    }

    let kind: Kind
    let digest: [UInt8]
    /// Nil for a credential with a nonce: the nonce is spent for it, and the credential's digest is stored with the nonce.
    let end: ReplayEnd?

    /// The argument of `spend`: Unix seconds; negative for a time that was counted from now; 0 for a credential with a nonce.
    var until: Int {
        switch end {
        case .itsOwn(let end): Int(end.timeIntervalSince1970)
        case .counted(let end): -Int(end.timeIntervalSince1970)
        case nil: 0
        }
    }
}

extension [Spending] {
    /// The kind at a 1-based position.
    func kind(at position: Int?) -> Spending.Kind? {
        guard let position, indices.contains(position - 1) else { return nil }
        return self[position - 1].kind
    }
}

/// A provider's sealed refresh token, and the provider's client id for it.
struct SealedProviderToken: Sendable, Equatable {
    let clientID: String
    let sealed: [UInt8]

    /// The purpose of the seal.
    static let purpose = "provider token"
}

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
        return .object(object)
    }

    init(identityID: UUID, identity: VerifiedIdentity, token: SealedProviderToken?, provedAt: Date) {
        (self.identityID, self.identity, self.token) = (identityID, identity, token)
        self.provedAt = provedAt
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
