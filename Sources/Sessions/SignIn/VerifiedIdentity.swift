import Accounts
import Cryptography
import Foundation
import JSON
import Providers

/// What a provider said about somebody, verified: the part of it that is kept.
struct VerifiedIdentity: Sendable, Equatable {
    let provider: String
    let realm: String
    let subject: String
    let email: String?
    let emailVerified: Bool
    let emailIsRelay: Bool
    let displayName: String?
    /// Who this was before the app moved to its present team.
    var former: FormerIdentity?

    init(_ external: ExternalIdentity) {
        (provider, realm, subject) = (external.provider.rawValue, external.realm, external.subject)
        email = external.email?.address
        emailVerified = external.email?.authority == .verifiedByAuthority
        emailIsRelay = external.email?.isRelay ?? false
        displayName = external.displayName
        former = external.former
    }

    /// The address, where there is one to speak of.
    var address: EmailAddress? { email.flatMap(EmailAddress.init) }

    /// What a sign-in with it proves.
    var proof: Proof { Proof(.provider, address: address?.key) }

    /// The address that linking may look at: a relay is contact only.
    var linkingKey: String? { emailIsRelay ? nil : address?.key }
}

/// Something that is good once.
struct Spending: Sendable, Equatable {
    enum Kind: Sendable {
        case credential, nonce, state
    }

    let kind: Kind
    let digest: [UInt8]
    /// Nil for a credential that carries the next one, a nonce: no token with a nonce is taken without it, so the nonce alone
    /// is spent, and the credential is kept beside it.
    let end: ReplayEnd?

    /// As `spend` takes it: Unix seconds; negative where they are counted from now; 0 beside the next one.
    var until: Int {
        switch end {
        case .itsOwn(let end): Int(end.timeIntervalSince1970)
        case .counted(let end): -Int(end.timeIntervalSince1970)
        case nil: 0
        }
    }
}

extension [Spending] {
    /// What stands at a position that the database counted from 1.
    func kind(at position: Int?) -> Spending.Kind? {
        guard let position, indices.contains(position - 1) else { return nil }
        return self[position - 1].kind
    }
}

/// A provider's refresh token, sealed, and the client it belongs to.
struct SealedProviderToken: Sendable, Equatable {
    let clientID: String
    let sealed: [UInt8]

    /// What it is sealed for; nothing else opens it.
    static let purpose = "provider token"
}

/// The stored form of an identity that waits for a proof of the account it may join.
///
/// Version 1.
struct LinkFlowState: Sendable, Equatable {
    /// The id that the linked identity will have.
    let identityID: UUID
    let identity: VerifiedIdentity
    let token: SealedProviderToken?
    /// When the person last proved themselves to the provider; in whole seconds.
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
    }
}
