import Pages

/// An item of an account that can move to another one.
struct AccountPart: Sendable, Equatable {
    /// In the format of the lists of a merge and a split.
    enum Kind: String, CaseIterable, Sendable {
        case identities, emails, phones, password, passkeys, factors
    }

    let kind: Kind
    /// The id, or the address; empty for the password, which is unique.
    let key: String

    /// The value of a form field.
    var code: String { key.isEmpty ? kind.rawValue : "\(kind.rawValue) \(key)" }

    init(_ kind: Kind, _ key: String) {
        (self.kind, self.key) = (kind, key)
    }

    /// Nil for an invalid value.
    init?(code: String) {
        let halves = code.split(separator: " ", maxSplits: 1).map(String.init)
        guard let kind = halves.first.flatMap(Kind.init), (halves.count == 2) != (kind == .password) else { return nil }
        self.init(kind, halves.count == 2 ? halves[1] : "")
    }

    /// Whether it is among the moved items, as `merge_accounts` lists them.
    func isListed(in moves: Facts) -> Bool {
        guard kind != .password else { return moves.flag(kind.rawValue) }
        return moves.names(kind.rawValue).contains { $0.lowercased() == key.lowercased() }
    }
}

extension Facts {
    /// All items of an account, in the order of its page.
    var accountParts: [AccountPart] {
        list("identities").map { AccountPart(.identities, $0.id) }
            + list("emails").map { AccountPart(.emails, $0["address"] ?? "") }
            + list("phones").map { AccountPart(.phones, $0["number"] ?? "") }
            + (self["password_set_at"] == nil ? [] : [AccountPart(.password, "")])
            + list("passkeys").map { AccountPart(.passkeys, $0.id) }
            + list("factors").map { AccountPart(.factors, $0.id) }
    }
}

extension ConsoleWriter {
    /// An item as a row: its icon and name.
    mutating func part(_ part: AccountPart, of account: Facts) -> [String: Any] {
        func named(_ list: String) -> Facts { account.list(list).first { $0.id == part.key } ?? Facts(nil) }
        let name: String
        var look = ["icon": "icons/other", "style": "other"]
        switch part.kind {
        case .identities:
            let identity = named("identities")
            name = identityName(identity)
            look = [
                "icon": Brand.icon(of: identity["provider"] ?? ""),
                "style": Brand.style(of: identity["provider"] ?? ""),
            ]
        case .emails: (name, look["icon"]) = (part.key, "icons/mail")
        case .phones: (name, look["icon"]) = (part.key, "icons/phone")
        case .password: (name, look["icon"]) = (words.text("field.password"), "icons/password")
        case .passkeys: name = passkeyName(named("passkeys"))
        case .factors: name = factorName(named("factors"))
        }
        return look.merging(["part": shown(name), "code": exact(part.code)]) { first, _ in first }
    }

    mutating func parts(_ parts: [AccountPart], of account: Facts) -> [[String: Any]] {
        parts.map { part($0, of: account) }
    }
}
