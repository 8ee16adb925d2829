import Foundation
package import Postgres
package import Providers

/// A single-use thing.
package struct Spending: Sendable, Equatable {
    package enum Kind: Sendable {
        case credential, nonce, state
    }

    let kind: Kind
    let digest: [UInt8]
    /// Nil for a credential with a nonce: the nonce is spent for it, and the credential's digest is stored with the nonce.
    let end: ReplayEnd?

    package init(kind: Kind, digest: [UInt8], end: ReplayEnd?) {
        (self.kind, self.digest, self.end) = (kind, digest, end)
    }

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

extension SQL.StringInterpolation {
    /// Binds the spent values of a credential as two arguments: digests and expiries.
    package mutating func appendInterpolation(_ spending: [Spending]) {
        appendInterpolation(spending.map(\.digest))
        appendLiteral(", ")
        appendInterpolation(spending.map(\.until))
    }
}
