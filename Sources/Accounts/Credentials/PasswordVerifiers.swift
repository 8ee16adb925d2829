package import Cryptography
package import JSON
package import Postgres

/// The verifiers of one password, which one statement stores as one value (`password_verifiers`).
///
/// A service makes them while it knows the password: at a sign-up, a change, a reset, or a sign-in that finds one
/// missing or outdated. A statement that sets a new password writes all of them, so no verifier of the old one stays.
package struct PasswordVerifiers: Sendable, Equatable {
    /// An encoded Argon2id hash.
    package let hash: String
    /// Nil if no protocol needs it.
    package let srp: SealedSRPVerifier?

    package init(hash: String, srp: SealedSRPVerifier? = nil) {
        (self.hash, self.srp) = (hash, srp)
    }

    /// Reads ``json``; nil for another form.
    package init?(_ json: JSON) {
        guard let hash = json["hash"]?.string else { return nil }
        self.init(hash: hash, srp: json["srp"].flatMap(SealedSRPVerifier.init))
    }

    /// The form in the state of a flow; `jsonb_populate_record` makes the composite value of it.
    package var json: JSON {
        var members: JSONObject = ["hash": .string(hash)]
        members["srp"] = srp?.json(of: hash)
        return .object(members)
    }
}

extension PasswordHasher {
    /// Computes the verifiers of a known password.
    ///
    /// - Parameters:
    ///   - typed: the password as it was typed: SRP clients do not normalise it.
    ///   - srp: the account and realm of an SRP verifier; nil where no protocol needs it.
    package func verifiers(
        of typed: String, srp: SRPOrder? = nil, in place: HashingPlace? = nil
    ) async throws(PasswordHashError) -> PasswordVerifiers {
        let hash = try await hash(PasswordPolicy.normalised(typed), in: place)
        guard let srp else { return PasswordVerifiers(hash: hash) }
        let password = Secret(typed)
        let verifier = try await compute(in: place) {
            SRPVerifier(realm: srp.realm, user: srp.user.text, password: password)
        }
        return PasswordVerifiers(hash: hash, srp: SealedSRPVerifier(verifier, for: srp))
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
        append(verifiers.srp, of: verifiers.hash)
        appendLiteral(")::password_verifiers")
    }

    private mutating func append(_ srp: SealedSRPVerifier?, of hash: String) {
        guard let srp else {
            appendLiteral("null")
            return
        }
        appendLiteral("row(")
        appendInterpolation(srp.account)
        appendLiteral(", ")
        appendInterpolation(srp.user)
        appendLiteral(", ")
        appendInterpolation(hash)
        appendLiteral(", ")
        appendInterpolation(srp.realm)
        appendLiteral(", ")
        appendInterpolation(srp.group.rawValue)
        appendLiteral(", ")
        appendInterpolation(srp.salt)
        appendLiteral(", ")
        appendInterpolation(srp.sealed)
        appendLiteral(")::srp_verifier")
    }
}
