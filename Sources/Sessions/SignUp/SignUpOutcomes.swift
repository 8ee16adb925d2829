import Postgres

/// What beginning a sign-up came to (`begin_sign_up_flow`).
enum SignUpBeginning: String, OutcomeWord {
    static let functions = ["begin_sign_up_flow"]

    case opened
    /// The address or number has an account.
    case known
}

/// What a sign-up with nothing to prove came to (`sign_up_at_once`).
enum SignUpAtOnce: String, OutcomeWord {
    static let functions = ["sign_up_at_once"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
}

/// What the code of a sign-up came to (`confirm_sign_up`).
enum SignUpConfirmation: String, OutcomeWord {
    static let functions = ["confirm_sign_up"]

    case wait
    case signedIn = "signed_in"
    case nextStep = "next_step"
    case codeWrong = "code_wrong"
}

/// What asking for another code of a sign-up came to (`renew_sign_up_code`).
enum SignUpRenewal: String, OutcomeWord {
    static let functions = ["renew_sign_up_code"]

    case sent, known, throttled
    /// It is too early for another code.
    case wait
}
