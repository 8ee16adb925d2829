import Accounts
import Clients
import Cryptography
import Foundation
package import JSON
import Messages
import Providers
import Vocabulary

/// The form of a sign-up, as typed.
package struct SignUpForm: Sendable {
    /// The name for sign-in: an e-mail address, a phone number or a user name.
    package var username: String
    /// Nil for an account that signs in with codes.
    package var password: String?
    /// Only in addition to a user name.
    package var email: String?
    package var phone: String?
    package var displayName: String?
    package var attributes: JSONObject
    /// The data that is asked for after the code.
    package var asksLater = SignUpDemand.nothing

    package init(
        username: String, password: String?, email: String? = nil, phone: String? = nil, displayName: String? = nil,
        attributes: JSONObject = [:]
    ) {
        (self.username, self.password, self.email, self.phone) = (username, password, email, phone)
        (self.displayName, self.attributes) = (displayName, attributes)
    }
}

/// The data that a sign-up asks for after its code.
package enum SignUpDemand: String, Sendable {
    /// The form must be complete.
    case nothing
    /// The data that the form lacks: required attributes, and a password if no code can sign in.
    case missing
    /// The same, and a password wherever the app takes passwords.
    case password
}

/// The data that a sign-up with a proved address lacks.
struct SignUpLack: Sendable, Equatable {
    let needsPassword: Bool
    /// The names of required attributes.
    let attributes: [String]

    /// Nil for a sign-up that lacks nothing.
    init?(
        _ demand: SignUpDemand, of contact: Destination, hasPassword: Bool, attributes: Set<String>, _ client: Client
    ) {
        guard demand != .nothing else { return nil }
        let wantsPassword = demand == .password && client.allows(provider: FirstFactor.password.rawValue)
        needsPassword = !hasPassword && (wantsPassword || !client.signsIn(byCodeTo: contact))
        self.attributes = client.attributes.filter { $0.isRequired && !attributes.contains($0.name) }.map(\.name)
        if !needsPassword, self.attributes.isEmpty { return nil }
    }

    /// The question for it.
    var step: SignInStep {
        needsPassword ? .newPassword(requiredAttributes: attributes) : .attributes(attributes)
    }
}

extension Client {
    /// Whether a code to this destination can sign in.
    fileprivate func signsIn(byCodeTo contact: Destination?) -> Bool {
        switch contact {
        case .email?: allows(provider: FirstFactor.emailCode.rawValue)
        case .phone?: allows(provider: FirstFactor.smsCode.rawValue)
        case nil: false
        }
    }
}

/// A valid form.
struct NewAccount: Sendable {
    let name: SignInName
    let email: EmailAddress?
    let phone: PhoneNumber?
    let password: String?
    let displayName: String?
    /// By the names of the account.
    let attributes: JSONObject
    let asksLater: SignUpDemand

    init(_ form: SignUpForm, _ client: Client, _ policy: PasswordPolicy) throws(Rejection) {
        guard let name = SignInName(form.username), client.signUpNames.contains(name.kind), !name.isAccountID else {
            throw .invalidField(.username, Self.fault(client.signUpNames))
        }
        self.name = name
        email = try Self.read(
            name.kind == .email ? name.text : form.email, .email, .notAnEmailAddress, EmailAddress.init)
        phone = try Self.read(
            name.kind == .phone ? name.text : form.phone, .phone, .notAPhoneNumber, PhoneNumber.init)
        password = form.password
        displayName = form.displayName.flatMap { DisplayName.clean($0, limit: 200) }
        // Without a destination no code follows, so nothing can be asked for later.
        let hasContact = name.kind != .userName || email != nil || phone != nil
        asksLater = hasContact ? form.asksLater : .nothing
        attributes = client.knownAttributes.stored(
            try client.knownAttributes.checked(form.attributes, by: .user, isComplete: asksLater == .nothing))
        try checkPassword(client, policy)
    }

    /// The destination of the code; nil for a user name alone.
    var contact: Destination? {
        switch name.kind {
        case .phone: phone.map(Destination.phone)
        case .email, .userName: email.map(Destination.email) ?? phone.map(Destination.phone)
        }
    }

    private func checkPassword(_ client: Client, _ policy: PasswordPolicy) throws(Rejection) {
        if let password { return try policy.check(password, email) }
        guard asksLater != .nothing || client.signsIn(byCodeTo: contact) else {
            throw .invalidField(.password, .required)
        }
    }

    private static func read<Value>(
        _ text: String?, _ field: RequestField, _ fault: FieldFault, _ parse: (String) -> Value?
    ) throws(Rejection) -> Value? {
        guard let text else { return nil }
        guard let value = parse(text) else { throw .invalidField(field, fault) }
        return value
    }

    private static func fault(_ allowed: [SignInName.Kind]) -> FieldFault {
        switch allowed {
        case [.email]: .notAnEmailAddress
        case [.phone]: .notAPhoneNumber
        case [.userName]: .notAUserName
        default: .notASignInName
        }
    }

    /// The data that is stored until the code arrives (`sign_in/add_signed_up_account.sql`).
    ///
    /// - Parameter address: the caller's, whose network has tries of its own.
    func stored(_ password: PasswordVerifiers?, guessBucket: [UInt8], from address: String) -> JSON {
        var state: JSONObject = [
            "version": 2, "attributes": .object(attributes), "guess_bucket": .string(Hex.encode(guessBucket)),
            "from": .string(address),
        ]
        state["email"] = email.map { .string($0.text) }
        state["email_key"] = email.map { .string($0.key) }
        state["phone"] = phone.map { .string($0.key) }
        if name.kind == .userName {
            state["user_name"] = .string(name.text)
            state["user_name_key"] = .string(name.key)
        }
        state["password"] = password?.json
        state["display_name"] = displayName.map(JSON.string)
        if asksLater != .nothing { state["asks_later"] = .string(asksLater.rawValue) }
        return .object(state)
    }
}
