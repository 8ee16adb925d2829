import Clients
import JSON
import Operators

/// The rows of an account's page.
extension RecordPage {
    func addresses(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        let emails = account.list("emails").map { address($0, $0["address"] ?? "", "icons/mail", &writer) }
        let phones = account.list("phones").map { address($0, $0["number"] ?? "", "icons/phone", &writer) }
        return emails + phones
    }

    private func address(_ facts: Facts, _ text: String, _ icon: String, _ writer: inout ConsoleWriter)
        -> [String: Any]
    {
        let isProved = facts["proved_at"] != nil
        var values: [String: Any] = [
            "icon": icon, "text": writer.shown(text), "is_proved": isProved, "is_main": facts.flag("is_main"),
            "is_relay": facts.flag("is_relay"), "is_undeliverable": facts["undeliverable_since"] != nil,
        ]
        values.set("proved", writer.time(facts["proved_at"]))
        values.set("added", writer.time(facts["added_at"]))
        values["actions"] = isProved ? buttons(.address, of: text, about: text, &writer) : []
        return values
    }

    func identities(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        account.list("identities").map { identity in
            var values = writer.provider(identity["provider"] ?? "")
            values.set("subject", writer.shown(identity["subject"] ?? ""))
            values.set("realm", writer.shown(ifAny: identity["realm"]))
            values.set("email", writer.shown(ifAny: identity["email"]))
            values.set("person", writer.shown(ifAny: identity["display_name"]))
            values.set("added", writer.time(identity["linked_at"]))
            values.set("used", writer.time(identity["used_at"]))
            values["actions"] = buttons(.identity, of: identity.id, about: writer.identityName(identity), &writer)
            return values
        }
    }

    /// The password, factors, passkeys and recovery codes.
    func proofs(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        var rows: [[String: Any]] = []
        if let since = account["password_set_at"] {
            let mustChange = account["password_state"] != "usable"
            rows.append(row(writer.message("field.password"), "icons/password", since, nil, mustChange, &writer))
        }
        for factor in account.list("factors") {
            let icon = factor["kind"] == "sms" ? "icons/phone" : "icons/other"
            rows.append(
                row(
                    writer.shown(writer.factorName(factor)), icon, factor["added_at"], factor["used_at"], false, &writer
                ))
        }
        for passkey in account.list("passkeys") {
            rows.append(
                row(
                    writer.shown(writer.passkeyName(passkey)), "icons/other", passkey["added_at"], passkey["used_at"],
                    false, &writer))
        }
        if account.number("recovery_codes_left") > 0 {
            let name = writer.message("account.codes_left", ["count": "\(account.number("recovery_codes_left"))"])
            rows.append(row(name, "icons/other", nil, nil, false, &writer))
        }
        return rows
    }

    private func row(
        _ name: String, _ icon: String, _ added: String?, _ used: String?, _ mustChange: Bool,
        _ writer: inout ConsoleWriter
    ) -> [String: Any] {
        var values: [String: Any] = ["proof_name": name, "icon": icon, "must_change": mustChange]
        values.set("added", writer.time(added))
        values.set("used", writer.time(used))
        return values
    }

    func sessions(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        account.list("sessions").map { session in
            let name = Self.deviceName(session)
            var values: [String: Any] = [
                "device_name": name.map { writer.shown($0) } ?? writer.message("account.unnamed_device"),
                "client": writer.shown(session["client_id"] ?? ""),
                "has_two_factors": session["acr"] == "2",
            ]
            values.set("network_address", writer.shown(ifAny: session["address"]))
            if let dialect = session["dialect"].flatMap(TokenDialect.init(rawValue:)), dialect != .gateway {
                values["through"] = writer.message("account.through.\(dialect.rawValue)")
            }
            values.set("provider_name", session["provider"].map { writer.shown(writer.providerName($0)) })
            values.set("created", writer.time(session["created_at"]))
            values.set("used", writer.time(session["last_used_at"]))
            values["actions"] = buttons(.session, of: session.id, about: name ?? session.id, &writer)
            return values
        }
    }

    static func deviceName(_ session: Facts) -> String? { session["device_name"] ?? session["user_agent"] }

    func devices(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        account.list("devices").map { device in
            var values: [String: Any] = [
                "device_name": device["name"].map { writer.shown($0) } ?? writer.message("account.unnamed_device")
            ]
            values.set("used", writer.time(device["used_at"]))
            values.set("until", writer.time(device["expires_at"]))
            return values
        }
    }

    func attributes(_ writer: inout ConsoleWriter) -> [[String: Any]] {
        account.part("attributes").members.members.map { member in
            ["attribute": writer.shown(member.name), "value": writer.shown(member.value.string ?? member.value.text)]
        }
    }
}
