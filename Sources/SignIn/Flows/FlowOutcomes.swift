import Postgres
import Vocabulary

/// The outcomes of opening a step (`begin_code_flow`, `begin_factor_flow`, `begin_address_flow`, `open_flow_step`).
enum FlowOpening: String, OutcomeWord {
    static let functions = [
        "begin_address_flow",
        "begin_code_flow",
        "begin_factor_flow",
        "open_flow_step",
    ]

    case opened, wait

    /// Why nothing was opened; nil where it was.
    ///
    /// The columns: outcome, wait.
    static func refusal(_ row: Row) throws(PostgresError) -> Rejection? {
        switch try row.outcome(0, Self.self, RefusalWord.self) {
        case .own(.opened): nil
        case .own(.wait): .throttled(retryAfter: try row.wholeSeconds(1))
        case .refused(let word): Rejection(word)
        }
    }
}

/// The outcomes of a resend (`resend_flow_code`).
enum FlowResending: String, OutcomeWord {
    static let functions = ["resend_flow_code"]

    case sent, wait
    case resendWait = "resend_wait"

    /// Why nothing was sent; nil where it was.
    ///
    /// The columns: outcome, wait.
    static func refusal(_ row: Row) throws(PostgresError) -> Rejection? {
        switch try row.outcome(0, Self.self, RefusalWord.self) {
        case .own(.sent): nil
        case .own(.wait): .throttled(retryAfter: try row.wholeSeconds(1))
        case .own(.resendWait): .resendTooSoon(retryAfter: try row.wholeSeconds(1))
        case .refused(let word): Rejection(word)
        }
    }
}

/// The outcomes of proving a new factor, address or number (`answer_factor_flow`, `confirm_address`).
enum FlowConfirmation: String, OutcomeWord {
    static let functions = ["answer_factor_flow", "confirm_address"]

    case added, wait
    case codeWrong = "code_wrong"

    /// Why nothing was added; nil where it was.
    ///
    /// The columns: outcome, wait, tries_left.
    static func refusal(_ row: Row) throws(PostgresError) -> Rejection? {
        switch try row.outcome(0, Self.self, RefusalWord.self) {
        case .own(.added): nil
        case .own(.wait): .throttled(retryAfter: try row.wholeSeconds(1))
        case .own(.codeWrong): .codeWrong(triesLeft: try row.value(2))
        case .refused(let word): Rejection(word)
        }
    }
}

/// The outcomes of an answer to a step (`answer_sign_in_flow`).
enum FlowAnswer: String, OutcomeWord {
    static let functions = ["answer_sign_in_flow"]

    case wait
    case nextStep = "next_step"
    case signedIn = "signed_in"
    case codeWrong = "code_wrong"
}

/// The outcomes of beginning a step-up (`begin_step_up`).
enum StepUpBeginning: String, OutcomeWord {
    static let functions = ["begin_step_up"]

    case nextStep = "next_step"
}
