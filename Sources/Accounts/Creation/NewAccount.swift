package import JSON
package import OperatorAccess
import Providers
import Vocabulary

/// An account that an operator or a back end asks for.
package struct NewAccount: Sendable {
    let user: NewUser
    /// Nil for an account without a password.
    let password: String?
    /// The app of the new user; nil for no app, or for the app of the access key.
    let client: String?
    /// Whether the gateway mails an invitation to the user.
    package let isInvited: Bool

    package static let members = [
        "email", "email_verified", "phone", "phone_verified", "user_name", "display_name", "password", "client_id",
        "invite",
    ]

    /// Reads the members of a request.
    ///
    /// - Throws: `invalidMember`, also without any sign-in name, and for an invitation without an address or beside a
    ///   password.
    package init(_ sent: JSONObject) throws(AdminRefusal) {
        let email = try Self.text(sent, "email", "must_be_email_address", EmailAddress.init)
        let phone = try Self.text(sent, "phone", "must_be_phone_number", PhoneNumber.init)
        let userName = try Self.text(sent, "user_name", "must_be_user_name") { typed in
            SignInName(typed).flatMap { $0.kind == .userName && !$0.isAccountID ? $0 : nil }
        }
        guard let name = userName ?? SignInName(email?.text ?? phone?.text ?? "") else {
            throw .invalidMember(pointer: "/email", reason: "required")
        }
        var user = NewUser(name: name)
        (user.email, user.phone) = (email, phone)
        user.isEmailProved = try Self.flag(sent, "email_verified")
        user.isPhoneProved = try Self.flag(sent, "phone_verified")
        user.displayName = try Self.text(sent, "display_name", "must_be_text") { DisplayName.joined([$0]) }
        self.user = user
        password = try Self.text(sent, "password", "must_be_text") { $0 }
        client = try Self.text(sent, "client_id", "must_be_text") { $0 }
        isInvited = try Self.flag(sent, "invite")
        guard !isInvited || email != nil else { throw .invalidMember(pointer: "/invite", reason: "needs_email") }
        guard !isInvited || password == nil else {
            throw .invalidMember(pointer: "/invite", reason: "beside_a_password")
        }
    }

    private static func text<Value>(
        _ sent: JSONObject, _ name: String, _ reason: String, _ parse: (String) -> Value?
    ) throws(AdminRefusal) -> Value? {
        guard let member = sent[name], !member.isNull else { return nil }
        guard let text = member.string, text.utf8.count <= 1_024, let value = parse(text) else {
            throw .invalidMember(pointer: "/\(name)", reason: reason)
        }
        return value
    }

    private static func flag(_ sent: JSONObject, _ name: String) throws(AdminRefusal) -> Bool {
        guard let member = sent[name], !member.isNull else { return false }
        guard let flag = member.bool else { throw .invalidMember(pointer: "/\(name)", reason: "must_be_boolean") }
        return flag
    }
}
