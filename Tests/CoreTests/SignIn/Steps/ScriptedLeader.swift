import Cryptography
import Foundation
import Providers
import Synchronization

/// A provider that answers by a script, and keeps the states that come back.
final class ScriptedLeader: StepwiseSignIn {
    let id: ProviderID
    let displayName = "Leader"
    let realms: [String] = []
    let canSignInStepwise = true
    private let script: Mutex<[StepwiseAnswer]>
    private let log = Mutex<[StepwiseState]>([])

    init(_ script: [StepwiseAnswer]) throws {
        guard let id = ProviderID(rawValue: "leader") else { throw Unexpected(what: "id") }
        self.id = id
        self.script = Mutex(script)
    }

    /// The states that came back with answers and resends.
    var states: [StepwiseState] { log.withLock { $0 } }

    func begin(
        username: String, password: Secret?, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer { next() }

    func answer(
        _ response: StepwiseResponse, to state: StepwiseState, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer {
        log.withLock { $0.append(state) }
        return next()
    }

    func resend(_ state: StepwiseState, context: StepwiseContext) async throws(ProviderError) -> StepwiseAnswer {
        log.withLock { $0.append(state) }
        return next()
    }

    private func next() -> StepwiseAnswer { script.withLock { $0.isEmpty ? .ended(.expired) : $0.removeFirst() } }
}
