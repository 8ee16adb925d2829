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

    /// The form in the state of a flow; `jsonb_populate_record` makes the composite value of it.
    package var json: JSON {
        var members: JSONObject = ["hash": .string(hash)]
        members["srp"] = srp?.json(of: hash)
        return .object(members)
    }
}

extension PasswordHasher {
    /// Computes the verifiers of a known password.
    package func verifiers(
        of password: [UInt8], in place: HashingPlace? = nil
    ) async throws(PasswordHashError) -> PasswordVerifiers {
        PasswordVerifiers(hash: try await hash(password, in: place))
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
