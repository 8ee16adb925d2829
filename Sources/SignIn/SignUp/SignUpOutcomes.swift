import Postgres

/// The outcomes of `begin_sign_up_flow`.
enum SignUpBeginning: String, OutcomeWord {
    static let functions = ["begin_sign_up_flow"]

    case opened
    /// The address has an account.
    case known
}

/// The outcomes of `sign_up_at_once`, a sign-up without an address to prove.
enum SignUpAtOnce: String, OutcomeWord {
    static let functions = ["sign_up_at_once"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
}

/// The outcomes of `confirm_sign_up`.
enum SignUpConfirmation: String, OutcomeWord {
    static let functions = ["confirm_sign_up"]

    case wait
    case signedIn = "signed_in"
    case nextStep = "next_step"
    case codeWrong = "code_wrong"
    /// The code is right, and data is missing.
    case proved
    /// An account without a password: the author of the sign-up is uncertain.
    case resetRequired = "reset_required"
}

/// The outcomes of `complete_sign_up`.
enum SignUpCompletion: String, OutcomeWord {
    static let functions = ["complete_sign_up"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
    /// Data is still missing.
    case proved
}

/// The outcomes of `renew_sign_up_code`.
enum SignUpRenewal: String, OutcomeWord {
    static let functions = ["renew_sign_up_code"]

    case sent, known, throttled
    /// It is too early for another code.
    case wait
}
