package import JSON

/// One proof of a sign-in.
package struct Proof: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case password
        /// A provider verified the user.
        case provider
        case emailCode = "email_code"
        case smsCode = "sms_code"
        case totp
        /// A passkey without user verification by the authenticator.
        case passkey
        /// A passkey with user verification: possession combined with knowledge or a trait.
        case verifiedPasskey = "verified_passkey"
        case recoveryCode = "recovery_code"
        /// The operator's service accepted an answer.
        case custom
    }

    package let kind: Kind
    /// The address on which the proof depends, if any.
    package let address: String?
    /// Whether its age is unknown: a provider answered, and did not state when the user signed in there.
    package let isUndated: Bool

    package init(_ kind: Kind, address: String? = nil, isUndated: Bool = false) {
        (self.kind, self.address, self.isUndated) = (kind, address, isUndated)
    }

    /// Identifies the thing that the user controls: two proofs of the same thing count once.
    ///
    /// A provider account opens with its address, so the two count as the same thing.
    package var thing: String {
        switch kind {
        case .password: "password"
        case .provider: address.map { "mailbox \($0)" } ?? "provider"
        case .emailCode: "mailbox \(address ?? "")"
        case .smsCode: "phone \(address ?? "")"
        case .totp: "totp"
        case .passkey, .verifiedPasskey: "passkey"
        case .recoveryCode: "recovery code"
        case .custom: "custom challenge"
        }
    }

    /// The method's name in `amr` (RFC 8176 §2).
    ///
    /// Our own names are `fed` for a provider and `custom` for the operator's service.
    fileprivate var method: String {
        switch kind {
        case .password: "pwd"
        case .provider: "fed"
        case .emailCode, .totp, .recoveryCode: "otp"
        case .smsCode: "sms"
        case .passkey: "pop"
        case .verifiedPasskey: "pop"
        case .custom: "custom"
        }
    }

    var json: JSON {
        var object: JSONObject = ["kind": .string(kind.rawValue)]
        object["address"] = address.map(JSON.string)
        // The name is part of the schema: `steps/is_undated.sql`.
        if isUndated { object["undated"] = true }
        return .object(object)
    }

    package init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(kind, address: json["address"]?.string, isUndated: json["undated"]?.bool ?? false)
    }
}

/// All proofs of one session, in order of proving.
package struct Proofs: Sendable, Equatable {
    package private(set) var list: [Proof]

    package init(_ list: [Proof] = []) { self.list = list }

    package func adding(_ proof: Proof?) -> Proofs {
        Proofs(list + (proof.map { [$0] } ?? []))
    }

    /// Whether the same thing was proved before.
    package func include(_ proof: Proof) -> Bool { include(thing: proof.thing) }

    package func include(thing: String) -> Bool { list.contains { $0.thing == thing } }

    /// Whether none of them has a known age.
    package var areUndated: Bool { list.allSatisfy(\.isUndated) }

    package func has(_ kind: Proof.Kind) -> Bool { list.contains { $0.kind == kind } }

    /// Two different things, or a passkey with user verification.
    package var isMultiFactor: Bool {
        if has(.verifiedPasskey) { return true }
        guard list.count > 1, let thing = list.first?.thing else { return false }
        return list.dropFirst().contains { $0.thing != thing }
    }

    /// `amr` of the session's tokens (RFC 8176).
    package var methods: [String] {
        var methods: [String] = []
        for proof in list where !methods.contains(proof.method) { methods.append(proof.method) }
        if has(.verifiedPasskey) { methods.append("user") }
        return isMultiFactor ? methods + ["mfa"] : methods
    }

    /// `acr`: "0" without a proof, "1" for one factor, "2" for two different ones.
    package var level: String {
        if list.isEmpty { return Self.noFactor }
        return isMultiFactor ? Self.multiFactor : Self.singleFactor
    }

    /// A guest's session; no change that needs a proof accepts it.
    package static let noFactor = "0"
    package static let singleFactor = "1"
    package static let multiFactor = "2"

    package var json: JSON { .array(list.map(\.json)) }

    package init(_ json: JSON?) { list = (json?.array ?? []).compactMap(Proof.init) }

    /// The proofs of a row; none for a null.
    init(stored text: String?) throws { self.init(try text.map { try JSON(parsing: $0) }) }
}
