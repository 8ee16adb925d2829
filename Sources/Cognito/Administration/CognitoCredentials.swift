import Accounts
import Clients
import Foundation
import HTTPServer
import JSON
import Messages
import OperatorAccess
import Sessions
import SignIn
import Vocabulary

/// Administrator operations that decide how a user signs in.
struct CognitoCredentials: Sendable {
    let users: CognitoUsers
    let provisioning: UserProvisioning
    let names: FlowNames
    let clients: ClientRegistry

    /// `MessageAction`.
    private enum MessageAction: String, CaseIterable {
        case resend = "RESEND"
        case suppress = "SUPPRESS"
    }

    /// `AdminCreateUser`: the user gets a temporary password, in a message unless it is suppressed.
    func createUser(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let action = try request.optionalChoice("MessageAction", of: MessageAction.self)
        let password = try request.optional("TemporaryPassword", most: PasswordPolicy.maximumBytes)
        let medium: Medium = try request.names("DesiredDeliveryMediums").first == "SMS" ? .sms : .email
        if action == .resend { return try await inviteAgain(request, password, medium, backEnd, &call) }
        let new = try newUser(request, backEnd.client)
        let user = try await provisioning.create(
            new, password: password, invitedBy: action == .suppress ? nil : medium,
            because: try Reason("AdminCreateUser"), by: backEnd)
        call.accountID = user.id
        return ["User": .object(user.cognito(attributesIn: "Attributes", of: backEnd.client))]
    }

    private func inviteAgain(
        _ request: CognitoRequest, _ password: String?, _ medium: Medium, _ backEnd: UserProvisioning.BackEnd,
        _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await users.user(request, backEnd, &call)
        do {
            try await provisioning.inviteAgain(
                user, as: try request.text("Username"), password: password, preferring: medium,
                because: try Reason("AdminCreateUser"), by: backEnd)
        } catch AdminRefusal.nothingToChange {
            throw CognitoError(
                .unsupportedUserState, "Resend not possible: the user has no temporary password.",
                code: AdminRefusal.nothingToChange.code)
        }
        return ["User": .object(user.cognito(attributesIn: "Attributes", of: backEnd.client))]
    }

    /// - Throws: ``CognitoError`` for a name or an attribute that the app does not have.
    private func newUser(_ request: CognitoRequest, _ client: Client) throws(CognitoError) -> NewUser {
        let typed = try request.text("Username", most: 512)
        guard let name = SignInName(typed), client.signUpNames.contains(name.kind), !name.isAccountID else {
            throw .invalid(client.signUpNames == [.email] ? "Username should be an email." : "Invalid username.")
        }
        var user = NewUser(name: name)
        for (name, value) in try request.attributes("UserAttributes") {
            try user.set(name, value, client)
        }
        return user
    }

    /// `AdminSetUserPassword`: its sessions end.
    func setPassword(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let password = try request.text("Password", most: PasswordPolicy.maximumBytes + 1)
        let isPermanent = request.body["Permanent"]?.bool ?? false
        let user = try await users.user(request, backEnd, &call)
        try await provisioning.setPassword(
            password, isTemporary: !isPermanent, of: user, because: try Reason("AdminSetUserPassword"), by: backEnd)
        users.sessions.forget(account: user.id)
        return [:]
    }

    /// `AdminResetUserPassword`: the user sets a new one by `ForgotPassword`.
    func resetPassword(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await users.user(request, backEnd, &call)
        try await users.care.requireReset(
            user.id, because: try Reason("AdminResetUserPassword"), by: backEnd.actor)
        users.sessions.forget(account: user.id)
        return [:]
    }

    /// `AdminConfirmSignUp`: creates the account of a pending sign-up; its address stays unproved.
    func confirmSignUp(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let name = try request.text("Username", most: 512)
        let flow = try await pendingSignUp(of: name, request, backEnd.client)
        do {
            guard let flow else { throw AdminRefusal.notFound }
            try await users.directory.confirm(flow, because: try Reason("AdminConfirmSignUp"), by: backEnd.actor)
            call.accountID = flow
            return [:]
        } catch let refusal as AdminRefusal where refusal == .notFound || refusal == .identityInUse {
            _ = try await users.user(request, backEnd, &call)
            throw CognitoError.isConfirmed
        }
    }

    /// The sign-up of a name by an app of the pool; its id becomes the account's.
    ///
    /// - Throws: ``CognitoError`` for several sign-ups of which the back end names none: a stranger's may be among them.
    private func pendingSignUp(of name: String, _ request: CognitoRequest, _ client: Client) async throws -> UUID? {
        var waiting: [UUID] = []
        for app in clients.apps(inPool: client.dialects.cognito?.poolID ?? "") {
            waiting += try await names.ids(for: .signUp, of: name, client: app)
        }
        if let named = try request.texts("ClientMetadata")["UserSub"] {
            return waiting.first { $0.text == named.lowercased() }
        }
        guard waiting.count < 2 else {
            throw CognitoError.invalid("Several sign-ups of this user wait: name one as UserSub in ClientMetadata.")
        }
        return waiting.first
    }
}

extension NewUser {
    /// Sets an attribute as it was sent.
    fileprivate mutating func set(_ attribute: String, _ value: String, _ client: Client) throws(CognitoError) {
        switch CognitoAttributes.Own(rawValue: attribute) {
        case .email:
            guard let address = EmailAddress(value) else { throw .invalid("Invalid email address format.") }
            guard name.kind != .email || address.key == name.key else { throw .invalid("Username and email differ.") }
            email = address
        case .phoneNumber:
            guard let number = PhoneNumber(value) else { throw .invalid("Invalid phone number format.") }
            guard name.kind != .phone || number.key == name.key else {
                throw .invalid("Username and phone_number differ.")
            }
            phone = number
        case .emailVerified: isEmailProved = isEmailProved || value.lowercased() == "true"
        case .phoneNumberVerified: isPhoneProved = isPhoneProved || value.lowercased() == "true"
        case .name: displayName = value
        case .sub, .preferredUsername: return
        case nil:
            let own = try client.cognitoAttribute(named: attribute)
            attributes[own.name] = own.value(of: value)
        }
    }
}
