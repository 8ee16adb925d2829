package import Audit
package import Hummingbird
package import Telemetry
package import Vocabulary

/// Counts the calls of every front door, and records refused calls in the audit log.
package struct CallLog: Sendable {
    let refusals: RefusalLog
    package let outcomes: OutcomeMetrics

    package init(refusals: RefusalLog, outcomes: OutcomeMetrics) {
        (self.refusals, self.outcomes) = (refusals, outcomes)
    }

    /// Answers a call, and records a refusal with the details known so far.
    ///
    /// - Parameters:
    ///   - countsSuccess: whether this method counts a success; otherwise `body` counts it.
    ///   - refusing: reads an error of `body`, and throws one that is no refusal.
    package func answer<Call: LoggedCall>(
        _ call: inout Call, countsSuccess: Bool = true, _ body: (inout Call) async throws -> Response,
        refusing: (any Error, inout Call) throws -> RefusedCall<Call>
    ) async throws -> Response {
        do {
            let response = try await body(&call)
            let logged = call.logged
            if countsSuccess { outcomes.count(logged.action, provider: logged.provider, outcome: "done") }
            return response
        } catch {
            let refused = try refusing(error, &call)
            self.refused(refused.code, of: refused.rejection, detail: refused.detail, call.logged)
            return try await refused.answer(&call)
        }
    }

    /// Records a refusal; ``RefusedCall`` explains the parameters.
    ///
    /// Doors call it for a refusal that a page shows above its form.
    ///
    /// - Parameter action: the refused action, if it has another name than the call.
    package func refused(
        _ code: String, of rejection: Rejection? = nil, detail: String? = nil, as action: String? = nil,
        _ call: DoorCall
    ) {
        let action = action ?? call.action
        outcomes.count(action, provider: call.provider, outcome: code)
        let account = call.accountID ?? rejection?.account
        guard account != nil || rejection?.isOnlyCounted != true else { return }
        refusals.record(
            RefusedEvent(
                action: action, reason: code, accountID: account, sessionID: call.sessionID,
                clientID: call.clientID, provider: call.provider, caller: call.caller,
                detail: detail ?? rejection?.sentDetail))
    }
}
