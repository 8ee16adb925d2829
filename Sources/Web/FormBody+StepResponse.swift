import HTTPServer
import SignIn
import WebAuthn

extension FormBody {
    /// The answer in a form of ``StepPage``.
    var stepResponse: StepResponse { StepResponse(stepAnswer, remembersDevice: self["remember_device"] == "true") }

    private var stepAnswer: StepAnswer {
        if let id = self["factor"] { return .choice(id) }
        if let code = self["recovery_code"] { return .recoveryCode(code) }
        if let credential = self["credential"] { return .passkey(PasskeyAnswer(text: credential)) }
        if let password = self["new_password"] {
            return self["code"].map { .resetPassword(code: $0, newPassword: password) }
                ?? .newPassword(password, attributes: typedAttributes)
        }
        if let code = self["code"] { return .code(code) }
        if let password = self["password"] { return .password(password) }
        if let answer = self["answer"] { return .challenge(answer) }
        if let email = self["email"] { return .email(email) }
        if let phone = self["phone"] { return .phone(phone) }
        return typedAttributes.isEmpty ? .nothing : .attributes(typedAttributes)
    }

    private var typedAttributes: [String: String] {
        let prefix = StepPage.Attribute.prefix
        return names.filter { $0.hasPrefix(prefix) }.reduce(into: [:]) { attributes, name in
            attributes[String(name.dropFirst(prefix.count))] = self[name] ?? ""
        }
    }
}
