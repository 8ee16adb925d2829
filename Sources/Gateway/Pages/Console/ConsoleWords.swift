/// The console's messages with keys from codes.
enum ConsoleWords {
    static let roles = ["viewer", "support", "admin", "owner"]
    static let statuses = ["active", "disabled", "closed"]
    static let kinds = ["merge", "split", "move", "link", "unlink"]
    static let facts = ["same_email", "same_email_told", "same_phone", "same_subject", "same_name"]
    static let strengths = ["strong", "likely", "weak"]

    static let refusals = [
        "not_an_operator", "role_too_low", "own_account", "operator_account", "last_owner",
        "last_administration_client", "role_needs_factor", "change_not_settled", "throttled", "step_up_required",
        "reauth_required", "not_found", "nothing_to_change", "last_credential", "identity_in_use", "accounts_changed",
        "account_disabled", "deletion_waits", "undo_over", "undo_blocked", "invalid_request", "nothing_listed",
        "reason_required", "endpoint_disabled", "too_many_endpoints",
        "reason_too_short", "reason_too_long",
    ]

    /// Parts of an account, as `account_outline` names them.
    static let parts = [
        "status", "mfa", "mfa_demanded", "password_state", "user_name", "password", "role", "identities", "passkeys",
        "factors", "emails", "phones",
    ]

    /// Audit actions with a label; others are shown by name.
    static let events = [
        "signed_in", "first_factor_proved", "account_created", "account_active", "account_disabled", "identity_linked",
        "identity_unlinked", "identity_moved", "password_set", "factor_added", "factor_removed",
        "factor_removal_asked", "factor_removal_cancelled", "account_viewed", "history_viewed", "accounts_searched",
        "audit_viewed", "audit_exported",
        "factor_changed",
        "recovery_codes_replaced", "device_forgotten", "address_added", "address_removed", "main_address_changed",
        "address_change_started", "address_claim_cleared", "session_ended", "sessions_ended", "sessions_revoked",
        "profile_changed", "proof_required", "second_factor_demanded", "role_granted", "role_withdrawn",
        "accounts_merged", "account_absorbed", "account_split", "change_undone", "message_bounced", "code_resent",
        "account_closed", "account_exported", "guest_upgraded", "deletion_requested", "deletion_cancelled",
        "step_up_started",
        "handed_over", "refreshed", "refresh_repeated", "link_asked", "sign_up_started", "sign_in",
        "event_endpoint_added", "event_endpoint_changed", "event_endpoint_removed", "event_endpoint_disabled",
        "event_secret_replaced", "events_replayed", "event_test_sent",
    ]

    static let promised =
        ConsoleSection.allCases.map { "console.nav.\($0.rawValue)" }
        + ConsoleAction.allCases.flatMap { ["console.do.\($0.rawValue).name", "console.do.\($0.rawValue).done"] }
        + ConsoleAction.told.flatMap { ["console.do.\($0.rawValue).before", "console.do.\($0.rawValue).after"] }
        + keys("role", roles + ["none"]) + keys("role_may", roles) + keys("status", statuses) + keys("change", kinds)
        + keys("fact", facts) + keys("proof", ["both", "one", "none"]) + keys("strength", strengths)
        + keys("account", ["own", "of_operator"])
        + keys("field", ["provider", "realm", "subject", "to"]) + keys("refusal", refusals) + keys("part", parts)
        + keys("event", events) + keys("filter", AuditFilterFields.names + ["must_be_id", "must_be_time"])
        + keys("outcome", AuditFilterFields.outcomes) + keys("format", AuditExportPage.formats)
        + keys("span", OverviewPage.spans) + keys("measure", OverviewPage.measures)
        + keys("client", ClientFields.names) + keys("client_done", ClientPage.messages)
        + keys("linking", ClientFields.policies) + keys("second_factor", ClientFields.secondFactors)
        + keys("refresh_rotation", ClientFields.rotations)
        + keys("method", ConfirmChangePage.Method.kinds) + keys("origin", MethodOrigin.allCases.map(\.rawValue))
        + keys("client_type", ClientFields.types) + keys("audience", ClientFields.audiences)
        + keys("wrong", ClientMistake.words) + keys("credential_kind", ProvidersPage.Credential.kinds)
        + keys("credential_state", ProvidersPage.Credential.states)
        + keys("endpoint", EndpointFields.names)
        + keys("endpoint_state", EndpointsPage.states) + keys("delivery", EndpointPage.states + ["all"])
        + EndpointAction.allCases.flatMap { keys("endpoint_do.\($0.rawValue)", $0.messages) }

    private static func keys(_ prefix: String, _ names: [String]) -> [String] {
        names.map { "console.\(prefix).\($0)" }
    }
}
