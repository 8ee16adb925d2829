import HTTPTypes

/// Refusals of the admin API and the console.
extension ErrorCatalogue {
    static let operators: [Entry] = [
        Entry(
            "not_an_operator", .forbidden, "This is for operators", cause: "The account has no operator's role.",
            remedy: "An owner, or the command line, can grant one: `gateway admin grant`."),
        Entry(
            "audience_not_allowed", .forbidden, "This app may not do that",
            cause:
                "The access token, or the session's app, lacks the audience of this call. Account management and administration are permissions of an app, listed in `aud`. An app with pairwise subjects, or of another maker, has none of the calls that name accounts.",
            remedy:
                "Sign in with a client that has the permission; for the operators' API with the console's client, see `docs/admin.md`. Such an app signs users in at `/authorize`, and reads them at `/userinfo`."
        ),
        Entry(
            "too_many_streams", .tooManyRequests, "Too many event streams",
            cause: "The operator's session has four event streams open.",
            remedy: "Close one; a closed page frees its stream at once."),
        Entry(
            "role_too_low", .forbidden, "Your role does not cover this",
            cause: "The operator's role doesn't permit it.",
            remedy: "Ask an operator with a higher role; `docs/admin.md` has the table."),
        Entry(
            "own_account", .forbidden, "Not on your own account",
            cause: "An operator tried to change their own account as an operator.",
            remedy: "Use `/account`, or ask another operator."),
        Entry(
            "last_owner", .conflict, "There must be an owner", cause: "It is the last account with the role `owner`.",
            remedy: "Make another account an owner first."),
        Entry(
            "last_administration_client", .conflict, "There must be an app for administration",
            cause:
                "It is the last enabled app with the permission `administration`: without it no operator could sign in.",
            remedy: "Give another app the permission first; `gateway clients change` can remove it in spite of this."),
        Entry(
            "role_needs_factor", .conflict, "The user has no independent second factor",
            cause:
                "A role needs a second factor that the user enrolled before the grant. A factor doesn't count if an operator moved it into the account. Nor if the account then had a sign-in method that an operator, a back end or an import put in.",
            remedy:
                "The user removes those sign-in methods, or resets the password by a code to an own address, then adds a factor or passkey. `gateway admin grant --anyway` grants the role in spite of this."
        ),
        Entry(
            "change_not_settled", .conflict, "A change of the account can still be undone",
            cause:
                "In the last seven days an operator linked, moved, merged or split a sign-in method of the account, which could then be used for the role.",
            remedy:
                "Undo the change, or wait until it can't be undone any more; `gateway admin grant --anyway` grants the role in spite of this."
        ),
        Entry(
            "nothing_to_change", .conflict, "Nothing to change", cause: "The change would have no effect.",
            remedy: "Check the current state of the account."),
        Entry(
            "accounts_changed", .conflict, "The accounts have changed",
            cause: "The accounts have changed since the preview, or a part to be moved belongs to another account.",
            remedy: "Check the new preview, and confirm it."),
        Entry(
            "deletion_waits", .conflict, "The account is to be deleted",
            cause: "The deletion of one of the accounts is pending.",
            remedy: "Cancel the deletion first, or wait for it."),
        Entry(
            "undo_over", .conflict, "It can't be undone any more",
            cause: "The change was undone before, or its seven days are over.",
            remedy: "Make the opposite change yourself."),
        Entry(
            "undo_blocked", .conflict, "A later change prevents the undo",
            cause: "A later change affects the same items; `errors[].code` names them.",
            remedy: "Undo the later change first, or move the items yourself."),
    ]
}
