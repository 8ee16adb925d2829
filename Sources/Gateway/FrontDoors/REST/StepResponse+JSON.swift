import JSON
import Sessions
import WebAuthn

/// The `response` of `POST /v1/sign-in/continue`.
extension StepResponse {
    init(_ members: JSONObject) throws(Problem) {
        do throws(Problem) {
            self.init(
                try StepAnswer(members), remembersDevice: members["remember_device"] == true,
                factorName: try members.optional("name", most: 400))
        } catch {
            throw error.under("/response")
        }
    }
}

extension StepAnswer {
    /// The answer that the members form; a choice takes precedence over other members.
    fileprivate init(_ members: JSONObject) throws(Problem) {
        if let id = try members.optional("factor") {
            self = .choice(id)
        } else if members["create_account"] == true {
            self = .separateAccount
        } else if let code = try members.optional("recovery_code") {
            self = .recoveryCode(code)
        } else if let credential = members["credential"], credential.object != nil || credential.string != nil {
            self = .passkey(PasskeyAnswer(credential))
        } else if let password = try members.optional("new_password") {
            self = try Self.newPassword(password, members)
        } else if let code = try members.optional("code") {
            self = .code(code)
        } else {
            self = try Self.other(members)
        }
    }

    private static func newPassword(_ password: String, _ members: JSONObject) throws(Problem) -> StepAnswer {
        if let code = try members.optional("code") { return .resetPassword(code: code, newPassword: password) }
        return .newPassword(password, attributes: try members.texts("attributes") ?? [:])
    }

    private static func other(_ members: JSONObject) throws(Problem) -> StepAnswer {
        if members["forgot_password"] == true { return .passwordForgotten }
        if let password = try members.optional("password") { return .password(password) }
        if let answer = try members.optional("answer") { return .challenge(answer) }
        if let email = try members.optional("email") { return .email(email) }
        if let phone = try members.optional("phone") { return .phone(phone) }
        return try members.texts("attributes").map(StepAnswer.attributes) ?? .nothing
    }
}
