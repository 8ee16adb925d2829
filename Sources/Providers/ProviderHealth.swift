package import FoundationEssentials
import Metrics
import Synchronization

/// Something an operator should see that is no failure of a request by itself.
package enum ProviderSignal: String, Sendable, CaseIterable {
    /// A valid token of another app was posted: a confused app, or an attack.
    case audienceMismatch = "audience_mismatch"
    /// Somebody posted a long-lived refresh token where a short-lived one is due.
    case refreshTokenPosted = "refresh_token_posted"
    /// The native token's `c_hash` is not that of the code posted with it.
    case codeHashMismatch = "code_hash_mismatch"
    /// Token and code, or two answers of the provider, name different people.
    case subjectMismatch = "subject_mismatch"
    /// A flag that should be a Boolean is something else; it counted as false.
    case flagOfWrongType = "flag_of_wrong_type"
    /// A code was posted but can't be exchanged: no signing key is configured.
    case codeNotExchanged = "code_not_exchanged"
    /// A fetched key set or metadata document was refused; the last good one stays.
    case documentRefused = "document_refused"
}

/// When a provider last answered well, when and why it last failed, how old its keys are.
package final class ProviderHealth: Sendable {
    package struct Snapshot: Sendable, Equatable {
        package var lastSuccess: Date?
        package var lastFailure: Date?
        /// A stable word, never text from outside.
        package var lastFailureReason: String?
        package var keySetArrived: Date?
        package var signals: [ProviderSignal: Int] = [:]
    }

    private let provider: ProviderID
    private let now: @Sendable () -> Date
    private let state = Mutex(Snapshot())
    private let requests: [Bool: Counter]
    private let signals: [ProviderSignal: Counter]

    package init(provider: ProviderID, now: @escaping @Sendable () -> Date = { Date() }) {
        self.provider = provider
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
