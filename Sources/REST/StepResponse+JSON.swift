import HTTPServer
import JSON
import SignIn
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
    /// The members of any answer.
    private static let common = ["remember_device", "name"]
    /// An answer has exactly one of these members.
    private static let all = [
        "factor", "create_account", "forgot_password", "recovery_code", "credential", "new_password", "code",
        "password", "answer", "email", "phone", "attributes",
    ]

    /// The answer that the members form; a choice takes precedence over other members.
    ///
    /// - Throws: `unknown_member` for a member that the answer does not have.
    fileprivate init(_ members: JSONObject) throws(Problem) {
        let read = try Self.read(members)
        let isKnown = read.answer != .nothing
        _ = try members.limited(to: read.names + Self.common, listing: isKnown ? nil : Self.all)
        self = read.answer
    }

    private typealias Read = (answer: StepAnswer, names: [String])

    private static func read(_ members: JSONObject) throws(Problem) -> Read {
        if let choice = try choice(members) { return choice }
        if let proof = try proof(members) { return proof }
        return try other(members)
    }

    private static func choice(_ members: JSONObject) throws(Problem) -> Read? {
        if let id = try members.optional("factor") { return (.choice(id), ["factor"]) }
        if members["create_account"] == true { return (.separateAccount, ["create_account"]) }
        if members["forgot_password"] == true { return (.passwordForgotten, ["forgot_password"]) }
        return nil
    }

    private static func proof(_ members: JSONObject) throws(Problem) -> Read? {
        if let code = try members.optional("recovery_code") { return (.recoveryCode(code), ["recovery_code"]) }
        if let credential = members["credential"], credential.object != nil || credential.string != nil {
            return (.passkey(PasskeyAnswer(credential)), ["credential"])
        }
        if let password = try members.optional("new_password") { return try newPassword(password, members) }
        if let code = try members.optional("code") { return (.code(code), ["code"]) }
        if let password = try members.optional("password") { return (.password(password), ["password"]) }
        return nil
    }

    private static func newPassword(_ password: String, _ members: JSONObject) throws(Problem) -> Read {
        if let code = try members.optional("code") {
            return (.resetPassword(code: code, newPassword: password), ["new_password", "code"])
        }
        let attributes = try members.texts("attributes") ?? [:]
        return (.newPassword(password, attributes: attributes), ["new_password", "attributes"])
    }

    private static func other(_ members: JSONObject) throws(Problem) -> Read {
        if let answer = try members.optional("answer") { return (.challenge(answer), ["answer"]) }
        if let email = try members.optional("email") { return (.email(email), ["email"]) }
        if let phone = try members.optional("phone") { return (.phone(phone), ["phone"]) }
        let attributes = try members.texts("attributes")
        return (attributes.map(StepAnswer.attributes) ?? .nothing, ["attributes"])
    }
}
