import Postgres

/// The outcomes of `disown_session`.
enum DisownWord: String, OutcomeWord {
    static let functions = ["disown_session"]

    case notFound = "not_found"
    case doneBefore = "done_before"
    /// The account is part of another one, and the merge can't be undone here.
    case stillMerged = "still_merged"
    case ended
    case resetRequired = "reset_required"
}

/// The outcomes of `drop_disowned_method`.
enum DisownedRemoval: String, OutcomeWord {
    static let functions = ["drop_disowned_method"]

    case removed
    /// Another request removed it first.
    case notFound = "not_found"
    case lastMethod = "last_credential"
}
