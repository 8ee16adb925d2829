import Cryptography
import Providers

/// A provider's token as stored in a row.
struct StoredToken: Sendable {
    let provider: String
    let clientID: String
    let kind: String
    let sealed: [UInt8]

    /// Nil if its master key no longer exists.
    func opened(by box: SealedBox) -> UpstreamToken? {
        guard let plain = try? box.open(sealed, purpose: SealedProviderToken.purpose) else { return nil }
        return UpstreamToken(kind: kind, clientID: clientID, token: Secret(plain))
    }
}

extension ProviderError {
    /// A stable word for a row, never external text.
    var word: String {
        switch self {
        case .invalidRequest(_, let reason, _), .unavailable(let reason, _), .misconfigured(let reason): reason
        case .refused(let refusal): refusal.rawValue
        }
    }

    /// Seconds that the provider asks us to wait.
    var pause: Double {
        if case .unavailable(_, let seconds) = self { Double(seconds) } else { 0 }
    }
}
