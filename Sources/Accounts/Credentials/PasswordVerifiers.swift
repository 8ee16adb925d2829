package import Cryptography
package import JSON
package import Postgres

/// The verifiers of one password, which one statement stores as one value (`password_verifiers`).
///
/// A service makes them while it knows the password: at a sign-up, a change, a reset, or a sign-in that finds one
/// missing or outdated. A statement that sets a new password writes all of them, so no verifier of the old one counts.
package struct PasswordVerifiers: Sendable, Equatable {
    /// An encoded Argon2id hash.
    package let hash: String
    /// Empty if no protocol needs one.
    package let srp: [SealedSRPVerifier]

    package init(hash: String, srp: [SealedSRPVerifier] = []) {
        (self.hash, self.srp) = (hash, srp)
    }

    /// Reads ``json``; nil for another form.
    package init?(_ json: JSON) {
        guard let hash = json["hash"]?.string else { return nil }
        self.init(hash: hash, srp: json["srp"]?.array?.compactMap(SealedSRPVerifier.init) ?? [])
    }

    /// The form in the state of a flow; `jsonb_populate_record` makes the composite value of it.
    package var json: JSON {
        ["hash": .string(hash), "srp": .array(srp.map(\.json))]
    }
}

extension PasswordHasher {
    /// Computes the verifiers of a known password.
    ///
    /// - Parameters:
    ///   - typed: the password as it was typed: SRP clients do not normalise it.
    ///   - srp: the names of the SRP verifiers; nil where no protocol needs them.
    package func verifiers(
        of typed: String, srp: SRPOrder? = nil, in place: HashingPlace? = nil
    ) async throws(PasswordHashError) -> PasswordVerifiers {
        let hash = try await hash(PasswordPolicy.normalised(typed), in: place)
        return PasswordVerifiers(hash: hash, srp: try await srpVerifiers(of: typed, srp, in: place))
    }

    /// The SRP verifiers of a known password; none without an order.
    package func srpVerifiers(
        of typed: String, _ order: SRPOrder?, in place: HashingPlace? = nil
    ) async throws(PasswordHashError) -> [SealedSRPVerifier] {
        guard let order else { return [] }
        let password = Secret(typed)
        return try await compute(in: place) { order.verifiers(of: password) }
    }
}

/// The form of ``json``, in the sealed state of a flow.
extension PasswordVerifiers: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let verifiers = PasswordVerifiers(try JSON(parsing: text)) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no verifiers"))
        }
        self = verifiers
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json.text)
    }
}

extension SQL.StringInterpolation {
    /// Binds the composite value `password_verifiers`, or its null.
    package mutating func appendInterpolation(_ verifiers: PasswordVerifiers?) {
        guard let verifiers else {
            appendLiteral("null::password_verifiers")
            return
        }
        appendLiteral("row(")
        appendInterpolation(verifiers.hash)
        appendLiteral(", ")
        append(verifiers.srp)
        appendLiteral(")::password_verifiers")
    }

    private mutating func append(_ verifiers: [SealedSRPVerifier]) {
        appendLiteral("array[")
        for (index, verifier) in verifiers.enumerated() {
            if index > 0 { appendLiteral(", ") }
            append(verifier)
        }
        appendLiteral("]::srp_verifier[]")
    }

    private mutating func append(_ verifier: SealedSRPVerifier) {
        appendLiteral("row(")
        appendInterpolation(verifier.user)
        appendLiteral(", ")
        appendInterpolation(verifier.realm)
        appendLiteral(", ")
        appendInterpolation(verifier.group.rawValue)
        appendLiteral(", ")
        appendInterpolation(verifier.sealed)
        appendLiteral(")::srp_verifier")
    }
}
