import Clients
import Foundation
import Postgres
import Vocabulary

/// The statements of the steps that a provider leads.
extension FlowStore {
    func beginProviderLed(_ id: UUID, _ flow: SignInFlow, life: Int, _ request: SignInRequest) async throws {
        let stored = try stored(flow, id)
        try await pool.execute(
            """
            select begin_provider_flow(\(id), \(request.client.id), \(flow.linkFlow), \(stored), \(Int32(clamping: life)),
                                       \(Int32(flow.resendWait)), \(flow.provider), \(request.caller.address), \(request.caller.requestID))
            """)
    }

    /// Charges one answer before it is judged.
    ///
    /// - Parameter resendWait: for a resend, the seconds until another one may follow; nil for an answer.
    /// - Returns: the number of further wrong answers that the step allows.
    func charge(_ flow: UUID, revision: Int, resendWait: Int?) async throws -> Int {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select outcome, wait, tries_left
                  from charge_flow_answer(\(flow), \(Int32(revision)), \(FlowLimits.provider), \(resendWait.map { Int32($0) }))
                """)
            guard let row else { throw Rejection.internalError }
            switch try row.optionalOutcome(0, FlowCharge.self, RefusalWord.self) {
            case nil: return try row.value(2)
            case .own(.resendWait): throw Rejection.resendTooSoon(retryAfter: try row.wholeSeconds(1))
            case .own(.wait): throw Rejection.throttled(retryAfter: try row.wholeSeconds(1))
            case .refused(let word): throw Rejection(word)
            }
        }
    }

    /// Keeps the pending step with another state, in the same revision.
    ///
    /// - Parameter triesLeft: the result of ``charge(_:revision:resendWait:)``.
    /// - Returns: false where another answer was charged in between, or the flow has ended.
    func keep(_ id: UUID, _ flow: SignInFlow, revision: Int, triesLeft: Int) async throws -> Bool {
        let stored = try stored(flow, id)
        let tries = Int32(ProviderLedStep.mostTries - triesLeft)
        return try await pool.withConnection { connection in
            try connection.queryOne("select keep_flow_step(\(id), \(Int32(revision)), \(tries), \(stored))")?.value(0)
                ?? false
        }
    }

    /// Ends a flow.
    ///
    /// - Returns: false where another answer has ended it or has led to another step.
    func end(_ flow: UUID, revision: Int) async throws -> Bool {
        try await pool.execute("delete from flows where id = \(flow) and revision = \(Int32(revision))") == 1
    }
}

/// The outcomes of `charge_flow_answer`; null lets the answer through.
enum FlowCharge: String, OutcomeWord {
    static let functions = ["charge_flow_answer"]

    case wait
    case resendWait = "resend_wait"
}
