import Clients
import Pages

extension AccountPage.Devices {
    func masked(by mask: inout TextMask) -> Self {
        Self(
            sessions: sessions.map { $0.masked(by: &mask) }, remembered: remembered.map { $0.masked(by: &mask) },
            apps: apps.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        [
            "sessions": sessions.map { $0.values(in: words) }, "has_remembered": !remembered.isEmpty,
            "remembered": remembered.map { $0.values(in: words) }, "has_apps": !apps.isEmpty,
            "apps": apps.map { $0.values(in: words) },
        ]
    }
}

extension AccountPage.Device {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        let methodName = ChoiceKind(rawValue: method).map { mask.words.text("choice.\($0.rawValue)") } ?? methodName
        return Self(
            id: mask.exact(id), name: mask.shown(name), clientName: mask.shown(clientName),
            address: mask.shown(ifAny: address), method: "", methodName: mask.shown(methodName),
            dialect: dialect,
            signedInAt: mask.moment(signedInAt),
            lastUsedAt: mask.moment(lastUsedAt), isCurrent: isCurrent)
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "id": id, "device_name": name, "client_name": clientName, "is_current": isCurrent,
            "signed_in": words.sentence("account.signed_in_at", ["date": signedInAt, "method": methodName]),
            "last_used": words.sentence("account.last_used_at", ["date": lastUsedAt]),
            "end_label": words.text("account.end_of", ["device": name]),
        ]
        values["network_address"] = address
        if dialect != .gateway { values["through"] = words.text("account.through.\(dialect.rawValue)") }
        return values
    }
}

extension AccountPage.GrantedApp {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(
            id: mask.exact(id), name: mask.shown(name), grantedAt: mask.date(grantedAt),
            lastUsedAt: lastUsedAt.map { mask.moment($0) })
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        var values: [String: Any] = [
            "id": id, "app_name": name, "granted": words.sentence("account.granted_on", ["date": grantedAt]),
            "revoke_label": words.text("account.revoke_of", ["app": name]),
        ]
        values["last_used"] = lastUsedAt.map { words.sentence("account.last_used_at", ["date": $0]) }
        return values
    }
}

extension AccountPage.RememberedDevice {
    fileprivate func masked(by mask: inout TextMask) -> Self {
        Self(id: mask.exact(id), name: mask.shown(ifAny: name), expiresAt: mask.date(expiresAt))
    }

    fileprivate func values(in words: Words) -> [String: Any] {
        let name = name ?? words.text("account.unnamed_device")
        return [
            "id": id, "device_name": name, "until": words.sentence("account.asked_again_on", ["date": expiresAt]),
            "forget_label": words.text("account.forget_of", ["device": name]),
        ]
    }
}
