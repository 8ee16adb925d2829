/// The reason for the end of a session, as its app may know it.
package enum SessionEnd: String, Sendable, CaseIterable {
    /// The user signed out, here or everywhere, or said that a sign-in was not theirs.
    case signedOut = "signed_out"
    /// The user withdrew the consent at the provider, or the provider no longer knows the user.
    case consentWithdrawn = "consent_withdrawn"
    /// A password, an address, a factor or an identity changed.
    case credentialsChanged = "credentials_changed"
    /// A copied token or code was used.
    case tokenReused = "token_reused"
    /// A step-up, a guest's upgrade or a merge gave the user another session or account.
    case replaced
    /// An operator ended it, or restricted the account.
    case endedByOperator = "ended_by_operator"
    case accountDisabled = "account_disabled"
    case accountDeleted = "account_deleted"
    case expired

    /// The recorded reasons (`sessions.end_reason`), and those for which ``SessionDirectory`` refuses open sessions.
    private static let recorded: [SessionEnd: [String]] = [
        .signedOut: ["signed_out", "signed_out_everywhere", "disowned"],
        .credentialsChanged: ["address_changed", "factors_removed", "proof_required", "identity_unlinked"],
        .tokenReused: ["refresh_reuse", "generation_ahead", "code_reused", "code_refused"],
        .replaced: [
            "stepped_up", "guest_upgraded", "merged", "merge_undone", "account_split", "split_undone", "identity_moved",
            "address_claim_lost",
        ],
        .endedByOperator: ["ended_by_operator", "revoked_by_operator", "role_granted", "client_disabled"],
        .accountDisabled: ["account_disabled"],
        .accountDeleted: ["account_closed", "deletion_requested"],
        .expired: ["expired"],
    ]

    private static let byReason = Dictionary(
        uniqueKeysWithValues: recorded.flatMap { end, reasons in reasons.map { ($0, end) } })

    /// Nil for a reason that apps need not know.
    package init?(recorded reason: String) {
        if let end = Self.byReason[reason] {
            self = end
            return
        }
        // A provider's event or the new state of a password follows the first word.
        switch reason.prefix(while: { $0 != "_" }) {
        case "provider": self = .consentWithdrawn
        case "password": self = .credentialsChanged
        default: return nil
        }
    }
}
