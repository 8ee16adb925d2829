package import Cryptography

/// Who may register an app by dynamic registration (RFC 7591 §3).
package enum RegistrationPolicy: Sendable, Equatable {
    case off
    /// A caller with the initial access token of the operator.
    case token(Secret)
    case open

    package enum Word: String, Sendable, CaseIterable {
        case off, token, open
    }

    package var isOn: Bool { self != .off }

    /// Whether every app that registers has the operator's token.
    package var isByInvitation: Bool { if case .token = self { true } else { false } }

    /// Whether a request with this bearer token may register an app; compared in constant time.
    package func admits(_ presented: String?) -> Bool {
        switch self {
        case .off: false
        case .open: true
        case .token(let secret):
            presented.map { ConstantTime.equal(SHA256.hash($0), SHA256.hash(secret.revealed)) } ?? false
        }
    }
}
