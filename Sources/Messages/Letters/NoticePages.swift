import Vocabulary

/// The notices with a text of their own, by kind, and the page where their reader can act.
enum NoticePages {
    private static let account = "/account"
    private static let methods = "/account/sign-in-methods"
    private static let twoStep = "/account/two-step"
    private static let devices = "/account/devices"

    /// Nil where the reader can no longer sign in.
    static let addresses: [String: String?] = [
        "identity_linked": methods, "identity_unlinked": methods, "password_changed": methods,
        "provider_consent_revoked": methods, "provider_account_deleted": methods,
        "account_absorbed": methods, "accounts_merged": methods, "accounts_separated": methods,
        "account_split": methods, "passkey_added": methods, "passkey_removed": methods,
        "factor_added": twoStep, "factor_removed": twoStep, "recovery_code_used": twoStep,
        "recovery_codes_replaced": twoStep, "factor_removal_asked": twoStep, "factor_removal_cancelled": twoStep,
        "role_granted": twoStep,
        "new_device": devices, "refresh_reuse": devices, "account_exported": devices,
        "address_added": account, "address_removed": account, "proof_required": account,
        "deletion_requested": account, "deletion_cancelled": account,
        "impersonation_begun": "/account/activity",
        "deletion_by_operator": nil, "account_deleted": nil,
    ]

    /// The notices of acts by an operator or the gateway: they don't ask whether the reader did it.
    static let withoutAdvice: Set<String> = [
        "proof_required", "impersonation_begun", "role_granted", "deletion_by_operator", "account_deleted",
    ]

    /// The page for a notice.
    static func address(_ kind: String) -> String? { addresses[kind, default: account] }
}

extension MessageBrand {
    /// The address of one of our pages for users of this app.
    func address(of path: String, at publicURL: String) -> String {
        publicURL + path.addingQuery(client.map { [(name: "client_id", value: $0)] } ?? [])
    }
}
