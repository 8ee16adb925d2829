import HTTPTypes

/// Refusals of the operators' side.
extension ErrorCatalogue {
    static let operators: [Entry] = [
        Entry(
            "not_an_operator", .forbidden, "This is for operators", cause: "The account has no operator's role.",
            remedy: "An owner grants one, or somebody at the command line: `gateway admin grant`."),
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
