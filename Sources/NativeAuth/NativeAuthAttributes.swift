import Clients
import JSON
import SignIn

/// The names of attributes in native authentication, and those of the account and its app.
enum NativeAuthAttributes {
    /// The account's own name.
    static let displayName = "displayName"
    /// The address, which equals the user name.
    static let email = "email"

    /// The built-in names by the app's.
    private static let builtIn = [
        "given_name": "givenName", "family_name": "surname", "job_title": "jobTitle", "postal_code": "postalCode",
        "street_address": "streetAddress",
    ]

    /// The name there of an app's attribute; an attribute of the app's own keeps its name.
    static func name(of attribute: String) -> String { builtIn[attribute] ?? attribute }

    /// The app's attribute of a name there, if users write it: `extension_{id}_{name}` names one of the app's own.
    static func attribute(named name: String, of client: Client) -> ClientAttribute? {
        let own = name.hasPrefix("extension_") ? name.split(separator: "_", maxSplits: 2).last.map(String.init) : nil
        return client.attributes.ofUsers.first { Self.name(of: $0.name) == name || $0.name == own }
    }

    /// The data of a sign-up; unknown attributes, and those that only the back end writes, have no effect, as at Microsoft.
    ///
    /// `password` counts as one.
    static func data(_ sent: JSONObject, _ client: Client) -> SignUpData {
        var data = SignUpData(password: sent["password"]?.string.flatMap { $0.isEmpty ? nil : $0 })
        for member in sent.members.sorted(by: { $0.name < $1.name }) {
            let text = member.value.string ?? member.value.text
            if member.name == displayName { data.displayName = text }
            guard let attribute = attribute(named: member.name, of: client) else { continue }
            data.attributes[attribute.name] = text.isEmpty ? .null : attribute.value(of: text)
        }
        return data
    }
}

/// A question of the core for the data that a sign-up lacks after its code.
struct SignUpQuestion {
    let needsPassword: Bool
    /// The required attributes, by the app's names.
    let attributes: [String]

    /// Nil for any other step.
    init?(_ step: SignInStep) {
        switch step {
        case .newPassword(let attributes): (needsPassword, self.attributes) = (true, attributes)
        case .attributes(let attributes): (needsPassword, self.attributes) = (false, attributes)
        default: return nil
        }
    }
}
