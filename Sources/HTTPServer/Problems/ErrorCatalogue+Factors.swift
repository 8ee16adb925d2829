import HTTPTypes

/// Refusals about factors and steps.
extension ErrorCatalogue {
    static let factors: [Entry] = [
        Entry(
            "passkey_refused", .unauthorized, "The passkey was not accepted",
            cause: "The authenticator's answer is invalid; `errors[].code` names the failed check.",
            remedy:
                "Start again with new options; check `PASSKEY_DOMAIN` and `PASSKEY_ORIGINS` for origin and domain errors."
        ),
        Entry(
            "no_second_factor_left", .forbidden, "No other factor is left",
            cause:
                "The account has a second factor, but every one depends on the first factor, such as the same mailbox.",
            remedy: "Sign in with another first factor, or use a recovery code."),
        Entry(
            "step_up_required", .forbidden, "Another proof is needed for this",
            cause:
                "The account has a second factor, and the session was created without it. Or only a provider proved the session, without the time of the user's sign-in there, and the account can prove more.",
            remedy: "`POST /v1/session/step-up`, and repeat the call with the new session."),
        Entry(
            "factor_exists", .conflict, "The factor exists already",
            cause: "The account has this mailbox, number or passkey as a factor, or another account has the passkey.",
            remedy: "List the factors with `GET /v1/account/factors`."),
        Entry(
            "factor_not_independent", .conflict, "The factor is not independent",
            cause: "The mailbox is already the first factor, so a code to it is no second proof.",
            remedy: "Use another mailbox or another type of factor, or set a password first."),
        Entry(
            "no_second_factor", .conflict, "There is no second factor",
            cause: "The call needs an account with a second factor.", remedy: "Add one: `POST /v1/account/factors`."),
        Entry(
            "second_factor_demanded", .conflict, "A second factor is required",
            cause: "An operator requires a second factor of this account, and this is its last one.",
            remedy: "Add another one first."),
        Entry(
            "nothing_to_resend", .conflict, "Nothing was sent",
            cause: "The current step needs no code.", remedy: "Answer the step, or start again."),
        Entry(
            "code_expired", .badRequest, "The code has expired", cause: "The provider's code has expired.",
            remedy: "Request a new one: `POST /v1/sign-in/resend`."),
        Entry(
            "password_rejected", .badRequest, "The provider refused this password",
            cause: "The new password breaks the provider's rules; `errors[].code` names the rule.",
            remedy: "Choose another one."),
        Entry(
            "attributes_rejected", .badRequest, "The provider refused these values",
            cause: "The provider refused requested attributes; `errors[].pointer` names them.",
            remedy: "Send other values."),
        Entry(
            "temporary_password_expired", .forbidden, "The temporary password has expired",
            cause: "The temporary password has expired: `TEMPORARY_PASSWORD_DAYS`, or the provider's own time.",
            remedy: "Ask for a new one."),
        Entry(
            "provider_declined", .forbidden, "The provider declined",
            cause: "A rule that the operator set at the provider refused the sign-in.", remedy: "Contact the service."),
        Entry(
            "address_in_use", .conflict, "The address belongs to another account",
            cause: "Another account has proved the address or number.",
            remedy: "Sign in to that account, and remove the address there or merge the two."),
        Entry(
            "user_name_taken", .conflict, "That name is taken", cause: "Another account has the user name.",
            remedy: "Choose another one."),
    ]
}
