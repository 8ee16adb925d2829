import ArgumentParser
import Clients
import JSON
import Vocabulary

/// The lists of an app.
enum ClientLists: ListSettings {
    static let areHeld = true
    static let lists: [ListSetting] = [
        ListSetting(
            option: "origin", member: "origins", help: "An allowed web origin, such as https://shop.example.com.",
            form: "https://HOST without a path, or http://localhost:PORT"),
        ListSetting(
            option: "redirect-uri", member: "redirect_uris",
            help:
                "A redirect URI: https://HOST/PATH, an app's own scheme as a reversed domain (org.example.app:/PATH), or http://localhost/PATH and http://127.0.0.1/PATH with any port.",
            form: "https://HOST/PATH, org.example.app:/PATH, http://localhost/PATH or http://127.0.0.1/PATH"),
        ListSetting(
            option: "provider", member: "providers",
            help:
                "The id of a sign-in method that the app offers: a provider, password, email_otp, sms_otp or passkey."),
        ListSetting(
            option: "sign-up-name", member: "sign_up_names",
            help: "A kind of name for sign-up: email, phone or user_name.", entry: word(of: SignInName.Kind.self)),
        ListSetting(
            option: "attribute", member: "attributes",
            help:
                "An attribute of its users: name, then in any order :kind (text, number, flag or date), :writer (user, back_end or both) and :shared, for one value with other apps; a final ! makes a sign-up require it.",
            entry: attribute, name: { $0["name"]?.string ?? "" }),
        ListSetting(
            option: "audience", member: "audiences", help: "A permission of its sessions: account or administration.",
            entry: word(of: Audience.self)),
        ListSetting(
            option: "accepted-audience", member: "accepted_audiences",
            help: "An accepted token audience, as provider:audience. Without one, every configured audience.",
            meaningOfEmpty: "every configured audience", entries: pairs, value: byProvider),
        ListSetting(
            option: "scope", member: "scopes", parent: "openid",
            help:
                "A scope that the app may ask for: openid, profile, email, phone, address or offline_access. Without one, each.",
            meaningOfEmpty: "every scope", entry: scope),
    ]

    @Sendable private static func scope(_ text: String) throws -> JSON {
        .string(try Word.one(of: TokenScope.own.map(\.rawValue))(text))
    }

    private static func word<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        of type: Choice.Type
    ) -> @Sendable (String) throws -> JSON {
        let read = Word.one(of: type)
        return { .string(try read($0).rawValue) }
    }

    @Sendable private static func attribute(_ text: String) throws -> JSON {
        guard let attribute = ClientAttribute(text) else {
            throw ValidationError(
                "can't be read. Write name, then after colons a kind (text, number, flag, date), a writer (user, back_end, both) or shared, with ! at the end if it is required. Names of claims such as email or roles are reserved."
            )
        }
        return [attribute].json.array?.first ?? .null
    }

    /// `provider:audience` for each audience.
    @Sendable private static func pairs(_ value: JSON) -> [JSON] {
        (value.object?.members ?? []).flatMap { member in
            (member.value.array ?? []).map { .string("\(member.name):\($0.string ?? "")") }
        }
    }

    /// Groups pairs by provider; one without a colon is a provider without audiences, which is refused.
    @Sendable private static func byProvider(_ pairs: [JSON]) -> JSON {
        var object: JSONObject = [:]
        for text in pairs.compactMap(\.string) {
            let parts = text.split(separator: ":", maxSplits: 1)
            let provider = parts.first.map(String.init) ?? ""
            object[provider] = .array(
                (object[provider]?.array ?? []) + parts.dropFirst().map { .string(String($0)) })
        }
        return .object(object)
    }
}

/// The lists of an app that does not exist yet.
enum NewClientLists: ListSettings {
    static let areHeld = false
    static let lists = ClientLists.lists
}
