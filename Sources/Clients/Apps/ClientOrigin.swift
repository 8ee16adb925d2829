package import Foundation

/// Who brought a client.
package enum ClientOrigin: Sendable, Equatable {
    /// An operator.
    case `operator`
    /// The app itself, by a document at its address, which is its id for others. The copy is fresh until then.
    case document(address: String, freshUntil: Date)
    /// The app itself, by dynamic registration (RFC 7591).
    case registration
}

extension Client {
    /// The id that tokens and the app itself name.
    package var publicID: String {
        if case .document(let address, _) = origin { address } else { id }
    }

    /// The host of the document with which the app describes itself.
    package var documentHost: String? {
        if case .document(let address, _) = origin { URL(string: address)?.host() ?? address } else { nil }
    }

    /// Whether anybody vouches for it: an operator does for the clients that they register.
    package var isProved: Bool { origin == .operator }

    /// Whether what is known about it may be used for a new authorization.
    package func isFresh(at now: Date) -> Bool {
        if case .document(_, let end) = origin { end > now } else { true }
    }
}
