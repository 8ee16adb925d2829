package import FoundationEssentials
import Metrics
import Synchronization

/// An observation for operators that is not in itself a failed request.
package enum ProviderSignal: String, Sendable, CaseIterable {
    /// A valid token of another app was posted: a misconfigured app, or an attack.
    case audienceMismatch = "audience_mismatch"
    /// A caller posted a long-lived refresh token instead of a short-lived token.
    case refreshTokenPosted = "refresh_token_posted"
    /// The native token's `c_hash` does not fit the posted code.
    case codeHashMismatch = "code_hash_mismatch"
    /// Token and code, or two answers of the provider, name different users.
    case subjectMismatch = "subject_mismatch"
    /// A flag with a type other than Boolean, which counted as false.
    case flagOfWrongType = "flag_of_wrong_type"
    /// A posted code cannot be exchanged, because no signing key is configured.
    case codeNotExchanged = "code_not_exchanged"
    /// A fetched key set or metadata document was refused; the last good one stays in use.
    case documentRefused = "document_refused"
}

/// The health of a provider: its last good answer, its last failure and the age of its keys.
package final class ProviderHealth: Sendable {
    package struct Snapshot: Sendable, Equatable {
        package var lastSuccess: Date?
        package var lastFailure: Date?
        /// A stable word, never external text.
        package var lastFailureReason: String?
        package var keySetArrived: Date?
        package var signals: [ProviderSignal: Int] = [:]
    }

    private let now: @Sendable () -> Date
    private let state = Mutex(Snapshot())
    private let requests: [Bool: Counter]
    private let signals: [ProviderSignal: Counter]

    package init(provider: ProviderID, now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
        let name = provider.rawValue
        requests = Dictionary(
            uniqueKeysWithValues: [true, false].map { good in
                let outcome = good ? "ok" : "failed"
                let labels = [("provider", name), ("outcome", outcome)]
                return (good, Counter(label: "provider_requests_total", dimensions: labels))
            })
        signals = Dictionary(
            uniqueKeysWithValues: ProviderSignal.allCases.map { signal in
                let labels = [("provider", name), ("signal", signal.rawValue)]
                return (signal, Counter(label: "provider_signals_total", dimensions: labels))
            })
    }

    package var snapshot: Snapshot {
        state.withLock { $0 }
    }

    func succeeded() {
        let date = now()
        state.withLock { $0.lastSuccess = date }
        requests[true]?.increment()
    }

    func failed(_ reason: String) {
        let date = now()
        state.withLock {
            $0.lastFailure = date
            $0.lastFailureReason = reason
        }
        requests[false]?.increment()
    }

    func keySetArrived() {
        let date = now()
        state.withLock { $0.keySetArrived = date }
    }

    func note(_ signal: ProviderSignal) {
        state.withLock { $0.signals[signal, default: 0] += 1 }
        signals[signal]?.increment()
    }
}
