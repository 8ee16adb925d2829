package import Audit
package import Telemetry
package import Vocabulary

/// Counts the calls of every front door, and records refused calls in the audit log.
package struct CallLog: Sendable {
    let refusals: RefusalLog
    package let outcomes: OutcomeMetrics

    package init(refusals: RefusalLog, outcomes: OutcomeMetrics) {
        (self.refusals, self.outcomes) = (refusals, outcomes)
    }

    package func succeeded(_ action: String, _ call: DoorCall) {
        outcomes.count(action, provider: call.provider, outcome: "done")
    }

    /// - Parameters:
    ///   - code: the code of the refusal in the error catalogue.
    ///   - detail: the faulty parts of the request, without their values.
    ///   - isOnlyCounted: whether a call by an unknown caller leaves no audit row.
    package func refused(
        _ action: String, _ code: String, _ call: DoorCall, detail: String? = nil, isOnlyCounted: Bool = false
    ) {
        outcomes.count(action, provider: call.provider, outcome: code)
        guard call.accountID != nil || !isOnlyCounted else { return }
        refusals.record(
            RefusedEvent(
                action: action, reason: code, accountID: call.accountID, sessionID: call.sessionID,
                clientID: call.clientID, provider: call.provider, caller: call.caller, detail: detail))
    }

    /// Records a refusal of the core, with the account that it names.
    package func refused(_ action: String, _ rejection: Rejection, _ call: DoorCall) {
        var call = call
        call.accountID = call.accountID ?? rejection.account
        refused(action, rejection.code, call, isOnlyCounted: rejection.isOnlyCounted)
    }
}
