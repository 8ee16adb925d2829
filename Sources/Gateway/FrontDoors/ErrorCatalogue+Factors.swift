import HTTPTypes

/// Refusals about factors and steps.
extension ErrorCatalogue {
    static let factors: [Entry] = [
        Entry(
            "passkey_refused", .unauthorized, "The passkey was not accepted",
            cause: "The answer of the authenticator does not hold; `errors[].code` says which check failed.",
            remedy:
                "Begin again with fresh options; check `PASSKEY_DOMAIN` and `PASSKEY_ORIGINS` for origin and domain errors."
        ),
        Entry(
            "no_second_factor_left", .forbidden, "No other factor is left to ask for",
            cause:
                "The account has a second factor, and all it has hangs on what was proved first, such as the same mailbox.",
            remedy: "Sign in with another first factor, or use a recovery code."),
        Entry(
            "step_up_required", .forbidden, "A second factor is needed for this",
            cause: "The account has a second factor and the session was made without it.",
            remedy: "`POST /v1/session/step-up`, and repeat the call with the new session."),
        Entry(
            "factor_exists", .conflict, "That factor is there already",
            cause: "The account has this mailbox, number or passkey as a factor, or another account has the passkey.",
            remedy: "List the factors with `GET /v1/account/factors`."),
        Entry(
            "factor_not_independent", .conflict, "That would be the same thing twice",
            cause: "The mailbox is what lets the person in already, so that a code to it proves nothing more.",
            remedy: "Take another mailbox or another kind of factor, or set a password first."),
        Entry(
            "no_second_factor", .conflict, "There is no second factor",
            cause: "The call needs an account with a second factor.", remedy: "Add one: `POST /v1/account/factors`."),
        Entry(
            "second_factor_demanded", .conflict, "A second factor is demanded",
            cause: "An operator demands a second factor of this account, and this is its last.",
            remedy: "Add another one first."),
        Entry(
            "nothing_to_resend", .conflict, "Nothing was sent",
            cause: "The step that waits is answered without a code.", remedy: "Answer the step, or begin again."),
        Entry(
            "code_expired", .badRequest, "The code is no longer good", cause: "The provider's code was right once.",
            remedy: "Ask for another: `POST /v1/sign-in/resend`."),
        Entry(
            "password_rejected", .badRequest, "The provider does not take this password",
            cause: "The new password breaks rules of the provider; `errors[].code` says which.",
            remedy: "Choose another one."),
        Entry(
            "attributes_rejected", .badRequest, "The provider does not take this",
            cause: "The provider refused values that it had asked for; `errors[].pointer` says which.",
            remedy: "Send others."),
        Entry(
            "temporary_password_expired", .forbidden, "The temporary password is over",
            cause: "The provider's administrator gave a password that was not used in time.",
            remedy: "Ask the administrator for another one."),
        Entry(
            "provider_declined", .forbidden, "The provider declined",
            cause: "A rule that the operator has set at the provider said no.", remedy: "Contact the service."),
        Entry(
            "address_in_use", .conflict, "That address has another account",
            cause: "Another account has proved the address or number.",
            remedy: "Sign in to that account, and remove the address there or join the two."),
        Entry(
            "user_name_taken", .conflict, "That name is taken", cause: "Another account has the user name.",
            remedy: "Choose another one."),
    ]
}
