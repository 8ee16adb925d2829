package import JSON

/// The state of an account that decides which actions are possible.
package struct AccountState: Sendable {
    private let account: JSONObject

    /// - Parameter account: the account, as ``AccountRecords`` returns it.
    package init(_ account: JSONObject) {
        self.account = account
    }

    var isActive: Bool { account["status"]?.string == "active" }
    var isClosed: Bool { account["status"]?.string == "closed" }
    var isGuest: Bool { account["guest"]?.bool ?? false }
    var isOperator: Bool { account["role"]?.string != nil }
    var hasFactors: Bool { ["factors", "passkeys"].contains { account[$0]?.array?.isEmpty == false } }
    var hasMailbox: Bool { account["emails"]?.array?.contains { $0["is_main"]?.bool == true } ?? false }
    /// Whether it has a sign-in method besides codes to its addresses.
    var hasOwnMethod: Bool {
        hasUsablePassword || ["identities", "passkeys"].contains { account[$0]?.array?.isEmpty == false }
    }
    var demandsFactor: Bool { account["mfa_demanded"]?.bool ?? false }
    var hasUsablePassword: Bool {
        account["password_set_at"]?.string != nil && account["password_state"]?.string != "reset_required"
    }
    /// As RFC 3339; nil if no removal waits.
    var factorRemovalDue: String? { account["factor_removal_due_at"]?.string }
    var deletionDue: String? { account["deletion"]?["due_at"]?.string }
    /// Whether a deletion waits that the user did not ask for.
    ///
    /// Only the user cancels their own request, and an operator's own deletion may follow it.
    var waitsForOperatorsDeletion: Bool { deletionDue != nil && account["deletion"]?["by"]?.string != "person" }
}
