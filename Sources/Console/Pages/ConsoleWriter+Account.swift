import Pages

/// Accounts and their items, shared by several pages.
extension ConsoleWriter {
    /// One account: its name as a link, with identifying details.
    mutating func face(_ account: Facts) -> [String: Any] {
        var values: [String: Any] = [
            "account_id": shown(account.id), "address": link(ConsoleAddress.ofAccount(account.id)),
            "account_name": account.accountName.map { shown($0) } ?? message("console.unnamed"),
            "is_verified": account.flag("email_verified"), "is_phone_verified": account.flag("phone_verified"),
            "providers": account.names("providers").map { provider($0) },
            "has_providers": !account.names("providers").isEmpty, "is_active": account["status"] == "active",
            "is_guest": account.flag("guest"),
        ]
        let status = account["status"].flatMap { ConsoleWords.statuses.contains($0) ? $0 : nil }
        values.set("status_label", status.map { message("console.status.\($0)") })
        let role = account["role"].flatMap { ConsoleWords.roles.contains($0) ? $0 : nil }
        values.set("role_label", role.map { message("console.role.\($0)") })
        // It is already the title of an account without a display name.
        let userName = account["user_name"].flatMap { $0 == account.accountName ? nil : $0 }
        values.set("user_name", userName.map { shown($0) })
        values.set("email", shown(ifAny: account["email"]))
        values.set("phone", shown(ifAny: account["phone"]))
        values.set("created", time(account["created_at"]))
        return values
    }

    /// An account by its id, for the template `console_person`.
    mutating func person(_ id: String, named name: String? = nil) -> [String: Any] {
        var values: [String: Any] = ["account_id": shown(id), "address": link(ConsoleAddress.ofAccount(id))]
        values.set("person_name", shown(ifAny: name))
        return values
    }

    /// The name of an item: an identity, an address, a factor.
    mutating func identityName(_ identity: Facts) -> String {
        let provider = providerName(identity["provider"] ?? "")
        let detail = identity["email"] ?? identity["subject"] ?? ""
        return detail.isEmpty ? provider : "\(provider) (\(detail))"
    }

    func factorName(_ factor: Facts) -> String {
        let kind = words.text("choice.\(ChoiceKind(rawValue: factor["kind"] ?? "")?.rawValue ?? "other")")
        let detail = factor["name"] ?? factor["address"] ?? ""
        return detail.isEmpty ? kind : "\(kind) (\(detail))"
    }

    func passkeyName(_ passkey: Facts) -> String {
        let kind = words.text("choice.passkey")
        return passkey["name"].map { "\(kind) (\($0))" } ?? kind
    }
}
