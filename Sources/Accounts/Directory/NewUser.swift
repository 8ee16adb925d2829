package import JSON
package import Vocabulary

/// A user that a back end adds.
package struct NewUser: Sendable {
    /// The name for sign-in.
    ///
    /// An address or a number counts as proved: the back end vouches for it.
    package let name: SignInName
    package var email: EmailAddress?
    package var isEmailProved = false
    package var phone: PhoneNumber?
    package var isPhoneProved = false
    package var displayName: String?
    package var attributes: JSONObject = [:]

    package init(name: SignInName) {
        self.name = name
        switch name.kind {
        case .email: (email, isEmailProved) = (EmailAddress(name.text), true)
        case .phone: (phone, isPhoneProved) = (PhoneNumber(name.text), true)
        case .userName: break
        }
    }

    /// The keys of the proved addresses.
    var proved: [String] {
        [isEmailProved ? email?.key : nil, isPhoneProved ? phone?.key : nil].compactMap(\.self)
    }

    /// The names that will sign in.
    package var signInNames: [SignInName] {
        let addresses = [isEmailProved ? email?.text : nil, isPhoneProved ? phone?.key : nil]
        return (addresses + [name.text]).compactMap { $0.flatMap(SignInName.init) }
    }

    /// The data for `add_signed_up_account`.
    func state(_ password: PasswordVerifiers?) -> JSON {
        var state: JSONObject = ["attributes": .object(attributes)]
        state["email"] = email.map { .string($0.text) }
        state["email_key"] = email.map { .string($0.key) }
        state["phone"] = phone.map { .string($0.key) }
        if name.kind == .userName {
            state["user_name"] = .string(name.text)
            state["user_name_key"] = .string(name.key)
        }
        state["password"] = password?.json
        state["display_name"] = displayName.map(JSON.string)
        return .object(state)
    }
}
