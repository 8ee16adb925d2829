import HTTPTypes

/// Refusals of the operators' side.
extension ErrorCatalogue {
    static let operators: [Entry] = [
        Entry(
            "not_an_operator", .forbidden, "This is for operators", cause: "The account has no operator's role.",
            remedy: "An owner grants one, or somebody at the command line: `gateway admin grant`."),
        Entry(
            "audience_not_allowed", .forbidden, "This app may not do that",
            cause:
                "The access token, or the app whose session it is, is not meant for this: account management and administration are permissions of an app, and stand in `aud`.",
            remedy:
                "Sign in with a client that has the permission; for the operators' API with the console's client, see `docs/admin.md`."
        ),
        Entry(
            "too_many_streams", .tooManyRequests, "Too many event streams",
            cause: "The operator's session has four event streams open.",
            remedy: "Close one; a page that is closed gives its stream back at once."),
        Entry(
            "role_too_low", .forbidden, "Your role does not cover this",
            cause: "The operator's role is too low for it.",
            remedy: "Ask somebody with a higher role; `docs/admin.md` has the table."),
        Entry(
            "own_account", .forbidden, "Not on your own account",
            cause: "An operator tried to change the own account as an operator.",
            remedy: "Use `/account`, or ask another operator."),
        Entry(
            "last_owner", .conflict, "There must be an owner", cause: "It is the last account with the role `owner`.",
            remedy: "Make another account an owner first."),
        Entry(
            "last_administration_client", .conflict, "There must be an app for administration",
            cause:
                "It is the last app in use with the permission `administration`: without it no operator could sign in.",
            remedy: "Give another app the permission first; `gateway clients change` takes it away all the same."),
        Entry(
            "role_needs_factor", .conflict, "The account has no second factor of its person's own",
            cause:
                "A role rests on a second factor that its person enrolled before it is granted. One that an operator merged, moved or split into the account doesn't count, nor one that was set up while something was there that an operator had put there.",
            remedy:
                "Let the person remove what an operator put there and then add a factor or passkey; `gateway admin grant --anyway` grants it all the same."
        ),
        Entry(
            "change_not_settled", .conflict, "A change of the account can still be undone",
            cause:
                "An operator linked, moved, merged or split something of the account in the last seven days: a way in that isn't its person's would become a way into the role.",
            remedy:
                "Undo the change, or wait until it can't be undone any more; `gateway admin grant --anyway` grants it all the same."
        ),
        Entry(
            "nothing_to_change", .conflict, "It is so already", cause: "The change would change nothing.",
            remedy: "Look at the account as it is now."),
        Entry(
            "accounts_changed", .conflict, "The accounts have changed",
            cause: "They are no longer as the preview showed them, or what was to be moved is elsewhere.",
            remedy: "Look again, and confirm what is shown then."),
        Entry(
            "deletion_waits", .conflict, "The account is to be deleted",
            cause: "The deletion of one of the accounts was asked for and waits.",
            remedy: "Take the deletion back first, or let it happen."),
        Entry(
            "undo_over", .conflict, "It can't be undone any more",
            cause: "The change was undone before, or its seven days are over.",
            remedy: "Make the opposite change by hand."),
        Entry(
            "undo_blocked", .conflict, "Later changes stand in the way",
            cause: "What the change touched was changed again; `errors[].code` names the parts.",
            remedy: "Take back the later change first, or move things by hand."),
    ]
}
