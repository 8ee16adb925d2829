import JSON

/// One thing that somebody proved in a sign-in.
package struct Proof: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case password
        /// A provider said who it is.
        case provider
        case emailCode = "email_code"
        case smsCode = "sms_code"
        case totp
        /// A passkey whose authenticator did not verify the person.
        case passkey
        /// A passkey whose authenticator verified the person: possession, and knowledge or a trait, in one.
        case verifiedPasskey = "verified_passkey"
        case recoveryCode = "recovery_code"
        /// A service of the operator's took an answer for right.
        case custom
    }

    package let kind: Kind
    /// The mailbox or number that it hangs on, where it hangs on one.
    package let address: String?

    package init(_ kind: Kind, address: String? = nil) {
        (self.kind, self.address) = (kind, address)
    }

    /// What whoever has it has in hand: two proofs of the same thing are one.
    ///
    /// A provider's account opens with the mailbox that it tells, so the two are the same thing.
    var thing: String {
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

    /// The method's name in `amr` (RFC 8176 §2; `fed` is ours, for a provider's word, and `custom`, for the operator's service).
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
        return .object(object)
    }

    init?(_ json: JSON) {
        guard let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.init(kind, address: json["address"]?.string)
    }
}

/// All that was proved for one session, in the order of proving.
package struct Proofs: Sendable, Equatable {
    package private(set) var list: [Proof]

    package init(_ list: [Proof] = []) { self.list = list }

    package func adding(_ proof: Proof?) -> Proofs {
        Proofs(list + (proof.map { [$0] } ?? []))
    }

    /// Whether the same thing was proved before.
    func include(_ proof: Proof) -> Bool { include(thing: proof.thing) }

    func include(thing: String) -> Bool { list.contains { $0.thing == thing } }

    func has(_ kind: Proof.Kind) -> Bool { list.contains { $0.kind == kind } }

    /// Two different things, or a passkey whose authenticator verified the person.
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

    /// `acr`: "1" for one factor, "2" for two different ones.
    package var level: String { isMultiFactor ? Self.multiFactor : Self.singleFactor }

    package static let singleFactor = "1"
    package static let multiFactor = "2"

    var json: JSON { .array(list.map(\.json)) }

    init(_ json: JSON?) { list = (json?.array ?? []).compactMap(Proof.init) }
}
