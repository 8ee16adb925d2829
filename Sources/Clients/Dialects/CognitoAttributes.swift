package import JSON
import Vocabulary

/// The attributes of a Cognito user: all values are texts.
///
/// Attributes of an app with a standard name (OpenID Connect Core §5.1) keep it; the others begin with `custom:`.
package enum CognitoAttributes {
    /// The names that `docs/configuration.md` allows for attributes and that Cognito knows without a prefix.
    fileprivate static let standard = [
        "address", "birthdate", "family_name", "gender", "given_name", "locale", "middle_name", "nickname", "picture",
        "profile", "website", "zoneinfo",
    ]
    private static let prefix = "custom:"

    /// The name of an app's attribute there.
    package static func name(of attribute: String) -> String {
        standard.contains(attribute) ? attribute : prefix + attribute
    }

    /// Whether an app's attribute gets the prefix.
    static func isCustom(_ attribute: String) -> Bool { !standard.contains(attribute) }

    /// The app's attribute of a name; nil for the names that ``Own`` has.
    package static func attribute(named name: String) -> String? {
        if name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
        return standard.contains(name) ? name : nil
    }

    /// The attributes that an account has itself.
    package enum Own: String, CaseIterable, Sendable {
        case sub, name, email
        case preferredUsername = "preferred_username"
        case emailVerified = "email_verified"
        case phoneNumber = "phone_number"
        case phoneNumberVerified = "phone_number_verified"
    }

    /// A value as text.
    package static func text(of value: JSON) -> String { value.string ?? value.text }
}

extension Client {
    /// The attributes of an app, and the standard ones that every user pool has; pages ask for the former only.
    static func known(_ attributes: [ClientAttribute], _ dialects: ClientDialects) -> [ClientAttribute] {
        guard dialects.cognito != nil else { return attributes }
        let others = CognitoAttributes.standard.filter { name in !attributes.contains { $0.name == name } }
        return attributes + others.map { ClientAttribute(name: $0, kind: .text, isRequired: false) }
    }
}

extension AccountProfile {
    /// The attributes that a token with these scopes tells.
    ///
    /// As in user pools: `email` and `phone` select their claims; `profile`, or none of the three, tells everything.
    package func cognitoAttributes(for scopes: Set<TokenScope>) -> [(name: String, value: String)] {
        let asked = scopes.intersection([.email, .phone])
        guard !asked.isEmpty, !scopes.contains(.profile) else { return cognitoAttributes }
        let names = Set(asked.flatMap(\.claims) + [CognitoAttributes.Own.sub.rawValue])
        return cognitoAttributes.filter { names.contains($0.name) }
    }

    /// The account's own attributes and those of one app, as `GetUser` lists them.
    package var cognitoAttributes: [(name: String, value: String)] {
        var all: [(name: String, value: String)] = [(CognitoAttributes.Own.sub.rawValue, summary.id.text)]
        func add(_ own: CognitoAttributes.Own, _ value: String?) {
            if let value { all.append((own.rawValue, value)) }
        }
        add(.name, summary.displayName)
        add(.preferredUsername, userName)
        add(.email, summary.email)
        add(.emailVerified, summary.email.map { _ in "\(summary.emailVerified)" })
        add(.phoneNumber, phone)
        add(.phoneNumberVerified, phone.map { _ in "\(phoneVerified)" })
        return all
            + attributes.members.map { (CognitoAttributes.name(of: $0.name), CognitoAttributes.text(of: $0.value)) }
    }
}
