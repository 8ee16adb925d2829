/// The actions of the audit log, for the console's names of events and for the filters of commands.
///
/// A refused call has the name of its operation.
package enum AuditEventNames {
    /// The console's message of each is `console.event.<it>`; a test compares the list with the sources.
    package static let all = [
        "accept_invitation",
        "access_granted", "access_key_issued", "access_key_revoked", "access_revoked", "account", "account_absorbed",
        "account_active", "account_closed", "account_created", "account_deleted", "account_disabled", "account_events",
        "account_exported", "account_invited", "account_page", "account_split", "account_viewed", "accounts_merged",
        "accounts_searched",
        "add_address", "add_factor", "address_added", "address_change_started", "address_claim_cleared",
        "address_removed", "answer_device", "app_page", "app_signed_in", "audit_exported", "audit_pruned",
        "audit_viewed",
        "authorize", "callback", "cancel_deletion", "change_access_keys", "change_account", "change_client",
        "change_device", "change_events", "change_factor", "change_messages", "change_password", "change_profile",
        "change_role", "change_undone", "client_added", "client_changed", "client_secret_replaced", "code_resent",
        "code_sent", "confirm_address", "confirm_device", "confirm_factor", "confirm_sign_up", "consent",
        "continue_sign_in", "continue_signed_in", "create_account", "delete_account", "delete_page",
        "deletion_cancelled", "deletion_requested", "demand_second_factor", "device_answered", "device_authorization",
        "device_changed", "device_confirmed", "device_forgotten", "device_page", "disable_account", "disown_page",
        "disown_session", "enable_account", "end_impersonation", "end_registration", "end_session", "end_sessions",
        "enter_device_code",
        "event_endpoint_added", "event_endpoint_changed", "event_endpoint_disabled", "event_endpoint_removed",
        "event_secret_replaced", "event_test_sent", "events_replayed", "exchange_token", "export_account",
        "export_audit", "factor_added",
        "factor_changed", "factor_removal_asked", "factor_removal_cancelled", "factor_removed", "first_factor_proved",
        "forget_device", "forgot_page", "forgot_password", "guest_upgraded", "handed_over", "history_viewed",
        "identity_linked", "identity_moved", "identity_transferred", "identity_unlinked", "impersonate",
        "impersonation_begun", "introspect", "invitation_accepted", "invitation_page", "invite_account", "keep_factors",
        "link_asked", "link_identity", "list_addresses", "list_devices", "list_factors", "list_grants",
        "list_identities", "list_merges", "list_sessions", "login_page", "main_address_changed", "merge_accounts",
        "merge_own_accounts", "merge_page", "merge_ticket", "message_bounced", "message_changed", "message_tested",
        "move_identity", "new_device", "operator_link", "operator_unlink", "own_accounts_merged", "own_merge_undone",
        "owner_proposed", "password_set", "prefer_address", "preview_change", "preview_merge", "profile_changed",
        "proof_required", "provider_notification", "provider_steps_started", "provider_token_dead",
        "provider_token_doubtful", "provider_token_revoked", "push_request", "recovery_codes_file",
        "recovery_codes_replaced", "refresh", "refresh_repeated", "refreshed", "register_client", "remove_address",
        "remove_factor", "remove_factors", "replace_registration", "report_delivery", "require_proof", "require_reset",
        "resend_code", "resend_sign_up", "reset_password", "reset_started", "revoke", "revoke_grant", "role_granted",
        "role_withdrawn", "search_accounts", "second_factor_demanded", "session", "session_ended", "sessions_ended",
        "sessions_revoked", "set_password", "show_account", "show_audit", "show_clients", "show_events", "show_history",
        "show_messages", "show_operators", "show_overview", "show_providers", "show_registration", "show_role",
        "sign_in",
        "sign_in_started", "sign_out", "sign_up", "sign_up_page", "sign_up_started", "signed_in", "signing_key_rotated",
        "split_account", "start_page", "start_redirect", "step_up", "step_up_started", "token", "token_derived",
        "token_exchanged",
        "trust_client", "undo_change", "undo_own_merge", "unlink_identity", "user_info",
    ]

    /// The views of operators, as the SQL function `is_view` lists them.
    static let views: Set = ["account_viewed", "accounts_searched", "audit_viewed", "history_viewed"]

    private static let known = Set(all)

    package static func contains(_ action: String) -> Bool { known.contains(action) }

    /// Whether an event is that an operator looked at something.
    static func isView(_ action: String) -> Bool { views.contains(action) }
}
