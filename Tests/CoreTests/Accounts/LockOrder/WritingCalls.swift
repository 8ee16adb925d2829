import Postgres

/// Calls of every function that changes rows and begins a server's transaction, with arguments by parameter name and
/// type.
///
/// A new function is called without a change here.
struct WritingCall: Sendable {
    let name: String
    /// The account of the call; for two accounts, the first one.
    let account: Int
    let text: String

    static func all(_ connection: Connection) throws -> [WritingCall] {
        let rows = try connection.query(
            """
            select p.proname, coalesce(p.proargnames[1:p.pronargs], '{}'),
                   array(select format_type(t, null) from unnest(p.proargtypes::oid[]) t)
              from pg_proc p
             where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and p.provolatile = 'v'
               and p.prorettype <> 'trigger'::regtype
             order by 1, 2
            """)
        return try rows.flatMap { row in
            let name: String = try row.value(0)
            guard !parts.contains(name) else { return [WritingCall]() }
            let parameters = zip(try row.value(1, as: [String].self), try row.value(2, as: [String].self))
            return [1, 2].flatMap { account in
                kinds(of: name).map { kind in
                    let values = parameters.map { "\($0) => (\(value($0, $1, name, account, kind)))::\($1)" }
                    return WritingCall(
                        name: name, account: account, text: "select * from \(name)(\(values.joined(separator: ", ")))")
                }
            }
        }
    }

    /// The fixture's undoable changes, one number per kind.
    private static func kinds(of name: String) -> [Int] { name == "undo_change" ? [10, 11, 16] : [0] }

    private static func value(_ parameter: String, _ type: String, _ function: String, _ n: Int, _ kind: Int) -> String
    {
        if kind > 0, parameter == "p_change" { return "fid(\(kind), \(n))" }
        let text =
            LockArguments.special["\(function).\(parameter)"] ?? LockArguments.usual["\(parameter) \(type)"] ?? "null"
        return text.replacing("$n", with: "\(n)").replacing("$m", with: "\(3 - n)")
    }

    /// Functions that only other functions call, so that their transactions cover them, or without a lock on an
    /// account.
    private static let parts: Set<String> = [
        "fid", "add_factor", "add_identity", "add_signed_up_account", "apply_email_event", "apply_flow_effect",
        "apply_link_flow", "apply_profile_change", "apply_provider_event", "cancel_disowned_deletion",
        "charge_wrong_answer",
        "clear_unproved_claims",
        "clear_unproved_numbers", "close_account", "close_account_without_sign_in_method", "drop_method", "elect_mains",
        "end_account_access", "end_account_sessions",
        "end_identity_sessions", "end_revocation", "enqueue", "erase_account", "fail_flow_answer",
        "give_back_after_right_answer", "give_back_to_throttles", "join_proofs", "judge_flow_answer",
        "keep_srp_verifiers", "lock_accounts",
        "lock_claimants",
        "lock_erasures", "lock_identity", "lock_import_lines", "lock_link_flow", "lock_merged", "lock_sessions",
        "lose_try",
        "make_session",
        "mark_joined", "may_change_factors", "move_items", "next_claims_due", "notify_account",
        "notify_account_directly",
        "part_proofs", "put_in_password", "queue_events", "reach_session", "renew_guest_session", "renew_verifiers",
        "replace_password",
        "restore_marks",
        "revoke_identity",
        "rewrite_identity",
        "send_message", "set_mains", "spend", "store_provider_token", "take_flow_guess", "take_from_throttles",
        "undo_disowned_merge", "undo_link", "undo_merge", "undo_merges_into", "undo_merges_since", "undo_move",
        "undo_split", "undo_unlink",
        // For partitions of the audit log.
        "audit_months_before", "close_audit_partition", "guard_audit_table", "make_audit_partition",
        "make_audit_partitions", "make_audit_partitions_from", "prune_audit",
    ]
}
