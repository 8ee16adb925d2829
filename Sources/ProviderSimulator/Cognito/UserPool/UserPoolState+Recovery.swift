import FoundationEssentials
import JSON

extension UserPoolState {
    mutating func forgot(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let (client, user) = try subject(of: request)
        guard let user else {
            guard client.preventsUserExistenceErrors else { throw Self.notFound }
            return ["CodeDeliveryDetails": .object(Self.decoyDelivery)]
        }
        guard let delivery = user.delivery else {
            throw .parameter(
                "Cannot reset password for the user as there is no registered/verified email or phone_number")
        }
        guard !user.isLimited else { throw .limitExceeded }
        _ = try change(user) { $0.sendCode(for: "reset_password") }
        return ["CodeDeliveryDetails": .object(delivery)]
    }

    mutating func confirmForgot(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let (client, user) = try subject(of: request)
        guard let user else { throw client.preventsUserExistenceErrors ? .wrongCode : Self.notFound }
        guard user.status != .unconfirmed else {
            throw .userPool("UserNotConfirmedException", "User is not confirmed.")
        }
        try change(user) { user throws(Refusal) in
            // Checks the password first, so that a weak one does not spend the code.
            var judged = user
            try judged.spend(request.text("ConfirmationCode"), for: "reset_password")
            try judged.set(password: request.text("Password"))
            user = judged
        }
        return [:]
    }

    mutating func confirmSignUp(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let (client, user) = try subject(of: request)
        guard let user else { throw client.preventsUserExistenceErrors ? .wrongCode : Self.notFound }
        guard user.status == .unconfirmed else {
            throw .notAuthorized("User cannot be confirmed. Current status is CONFIRMED")
        }
        try change(user) { user throws(Refusal) in
            try user.spend(request.text("ConfirmationCode"), for: "confirm_sign_up")
            user.status = .confirmed
        }
        return [:]
    }

    mutating func resend(_ request: UserPoolRequest) throws(Refusal) -> JSONObject {
        let (client, user) = try subject(of: request)
        guard let user else {
            guard client.preventsUserExistenceErrors else { throw Self.notFound }
            return ["CodeDeliveryDetails": .object(Self.decoyDelivery)]
        }
        guard user.status == .unconfirmed else { throw .parameter("User is already confirmed.") }
        guard !user.isLimited else { throw .limitExceeded }
        guard let delivery = user.delivery else {
            throw .userPool("CodeDeliveryFailureException", "Unable to deliver the code.")
        }
        _ = try change(user) { $0.sendCode(for: "confirm_sign_up") }
        return ["CodeDeliveryDetails": .object(delivery)]
    }

    /// Client and user, after the check of the client's secret.
    private func subject(of request: UserPoolRequest) throws(Refusal) -> (PoolClient, PoolUser?) {
        let client = try client(request)
        let name = request.text("Username")
        try client.expectSecretHash(request.optional("SecretHash"), of: name)
        return (client, user(name, of: client))
    }

    private static let notFound = Refusal.userPool(
        "UserNotFoundException", "Username/client id combination not found.")

    private static let decoyDelivery: JSONObject = [
        "Destination": "d***@e***", "DeliveryMedium": "EMAIL", "AttributeName": "email",
    ]
}
