import Accounts
import Audit
import Messages
import Operators
import Vocabulary

/// The console's messages with keys from codes.
package enum ConsoleWords {
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
        "reason_required", "client_disabled", "endpoint_disabled", "too_many_endpoints",
        "reason_too_short", "reason_too_long", "no_address", "not_delivered",
        "must_be_address_or_network", "needs_confidential_client", "must_be_email_address",
    ]

    /// Parts of an account, as `account_outline` names them.
    static let parts = [
        "status", "mfa", "mfa_demanded", "password_state", "user_name", "password", "role", "identities", "passkeys",
        "factors", "emails", "phones",
    ]

    package static let promised =
        ConsoleSection.allCases.map { "console.nav.\($0.rawValue)" }
        + (AccountAction.all + AccountAction.ofRoles).flatMap { keys("do.\($0.name)", ["name", "done"]) }
        + (AccountAction.all(.form) + AccountAction.ofRoles).flatMap { keys("do.\($0.name)", ["before", "after"]) }
        + keys("role", roles + ["none"]) + keys("role_may", roles) + keys("status", statuses) + keys("change", kinds)
        + keys("fact", facts) + keys("proof", ["both", "one", "none"]) + keys("strength", strengths)
        + keys("account", ["own", "of_operator"])
        + keys("field", AccountAction.all.flatMap(\.asked).flatMap { [$0.name, "\($0.name)_hint"] } + ["to"])
        + keys("account", ["name", "user_name"])
        + keys("overview", ["before", "more", "fewer", "same", "guests"]) + keys("refusal", refusals)
        + keys("part", parts)
        + keys("event", AuditEventNames.all) + keys("filter", AuditFilterFields.names + ["must_be_id", "must_be_time"])
        + keys("failure", CallFailure.allCases.map(\.rawValue))
        + keys("remedy", AuditReasons.remedies) + keys("session_end", SessionEnd.allCases.map(\.rawValue))
        + keys("outcome", AuditFilterFields.outcomes) + keys("format", AuditExportPage.formats)
        + keys("stage", RequestsPage.stages)
        + keys("span", OverviewPage.spans) + keys("measure", OverviewPage.measures)
        + keys("client", ClientFields.names + ClientFields.parts)
        + keys(
            "client",
            [
                "guests_hint", "custom_challenge_hint", "foreign_nonces_hint", "sign_up_names_hint", "audiences_hint",
                "attributes_hint", "accepted_audiences_hint", "claims_attributes_hint", "one_a_line",
                "origins_hint", "redirect_uris_hint",
            ])
        + keys(
            "client", DialectFields.ofVendors.flatMap { [$0.name, "\($0.name)_hint"] + $0.boxes.map { "\($0)_hint" } })
        + keys("client", DialectFields.ofVendors.compactMap { $0.choice.map { "\($0.field)_hint" } })
        + DialectFields.ofVendors.flatMap { $0.choice?.labels ?? [] }.map { "console.\($0)" }
        + keys("client", (ClientFields.openIDBoxes + ClientFields.openIDChoices.map(\.field)).map { "\($0)_hint" })
        + ClientFields.openIDChoices.flatMap(\.labels).map { "console.\($0)" }
        + keys("sign_up_name", SignInName.Kind.allCases.map(\.rawValue)) + keys("claims_failure", ClientFields.failures)
        + keys("relying_party", KnownSoftware.Demand.allCases.map(\.rawValue))
        + keys("client_done", ClientPage.messages) + keys("agents", AgentsPage.origins)
        + keys("quickstart", AppSnippet.all.map(\.platform)) + keys("unit", ClientFields.units.map(\.0))
        + keys("linking", ClientFields.policies) + keys("second_factor", ClientFields.secondFactors)
        + keys("refresh_rotation", ClientFields.rotations)
        + keys("bot_check", ClientFields.botChecks)
        + keys("method", ConfirmChangePage.Method.kinds) + keys("origin", MethodOrigin.allCases.map(\.rawValue))
        + keys("reach", AccessKeyFields.reaches) + keys("key_means", AccessKeyFields.means)
        + keys("key_lifetime", AccessKeyFields.lifetimes)
        + keys("client_type", ClientFields.types) + keys("audience", ClientFields.audiences)
        + keys("wrong", ClientMistake.words) + keys("credential_kind", ProvidersPage.Credential.kinds)
        + keys("credential_state", ProvidersPage.Credential.states)
        + keys("endpoint", EndpointFields.names) + keys("language", MessageEditing.languages)
        + keys("message_done", MessageAction.allCases.map(\.rawValue)) + keys("wrong_text", MessagePage.wrongs)
        + keys("message", ["paragraph", "placeholders", "shared", "default"])
        + keys("endpoint_state", EndpointsPage.states) + keys("delivery", EndpointPage.states + ["all"])
        + EndpointAction.allCases.flatMap { keys("endpoint_do.\($0.rawValue)", $0.messages) }

    private static func keys(_ prefix: String, _ names: [String]) -> [String] {
        names.map { "console.\(prefix).\($0)" }
    }
}
