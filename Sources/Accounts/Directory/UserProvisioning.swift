package import Clients
import Foundation
import JSON
package import Messages
package import OperatorAccess
package import Vocabulary

/// Adds users and sets their passwords, for the back ends of clients.
package struct UserProvisioning: Sendable {
    private let desk: AdminDesk
    private let directory: UserDirectory
    private let care: AccountCare
    private let passwords: ProvisionedPasswords
    private let outbox: Outbox

    package init(
        desk: AdminDesk, directory: UserDirectory, care: AccountCare, passwords: ProvisionedPasswords, outbox: Outbox
    ) {
        (self.desk, self.directory, self.care) = (desk, directory, care)
        (self.passwords, self.outbox) = (passwords, outbox)
    }

    /// The back end of a client as it calls.
    package struct BackEnd: Sendable {
        package let client: Client
        package let key: AccessKey
        package let actor: AdminActor
        package let caller: Caller

        package init(client: Client, key: AccessKey, caller: Caller) {
            (self.client, self.key, self.caller) = (client, key, caller)
            actor = .accessKey(key.id, key.actor, caller)
        }
    }

    /// Adds a user with a temporary password.
    ///
    /// - Parameters:
    ///   - password: nil for a generated one.
    ///   - medium: the preferred medium of the invitation; nil for no invitation.
    /// - Throws: `attributesInvalid` and the refusals of the password policy (``Rejection``); `identityInUse`.
    package func create(
        _ user: NewUser, password: String?, invitedBy medium: Medium?, because reason: Reason, by backEnd: BackEnd
    ) async throws -> DirectoryUser {
        var user = user
        let known = backEnd.client.knownAttributes
        user.attributes = known.stored(try known.checked(user.attributes, by: .backEnd, isComplete: false))
        let password = password ?? ProvisionedPasswords.temporary()
        let account = desk.newID()
        let message = try medium.map {
            try invitation(Self.destination(user.email, user.phone, $0), user.name.text, password, account, backEnd)
        }
        let verifiers = try await verifiers(password, account, user.email, names: user.signInNames, backEnd)
        let made = try await directory.create(
            account, user.state(verifiers), proved: user.proved, isTemporary: true, message,
            client: backEnd.client.id, because: reason, by: backEnd.actor)
        await deliver(message)
        return made
    }

    /// Sends another invitation with a new temporary password.
    ///
    /// - Parameter name: the user's name in the message.
    /// - Throws: `nothingToChange` for a user without a temporary password.
    package func inviteAgain(
        _ user: DirectoryUser, as name: String, password: String?, preferring medium: Medium, because reason: Reason,
        by backEnd: BackEnd
    ) async throws {
        guard user.password == .temporary else { throw AdminRefusal.nothingToChange }
        let password = password ?? ProvisionedPasswords.temporary()
        let destination = Self.destination(user.email, user.profile.phone.flatMap(PhoneNumber.init), medium)
        let message = try invitation(destination, name, password, user.id, backEnd)
        let verifiers = try await verifiers(password, user.id, user.email, backEnd)
        try await care.setPassword(
            verifiers, isTemporary: true, of: user.id, message: message, because: reason, by: backEnd.actor)
        await deliver(message)
    }

    /// Sets the password of a user; its sessions end.
    package func setPassword(
        _ password: String, isTemporary: Bool, of user: DirectoryUser, because reason: Reason, by backEnd: BackEnd
    ) async throws {
        let verifiers = try await verifiers(password, user.id, user.email, backEnd)
        try await care.setPassword(
            verifiers, isTemporary: isTemporary, of: user.id, because: reason, by: backEnd.actor)
    }

    private func verifiers(
        _ password: String, _ account: UUID, _ email: EmailAddress?, names: [SignInName]? = nil, _ backEnd: BackEnd
    ) async throws -> PasswordVerifiers {
        try await passwords.verifiers(
            of: password, for: account, email: email, names: names, client: backEnd.client, caller: backEnd.caller)
    }

    /// The destination of an invitation: the preferred one, or the other if the user lacks it.
    private static func destination(
        _ email: EmailAddress?, _ phone: PhoneNumber?, _ preferred: Medium
    ) -> Destination? {
        let (mail, text) = (email.map(Destination.email), phone.map(Destination.phone))
        return preferred == .email ? mail ?? text : text ?? mail
    }

    /// - Throws: `deliveryUnavailable` without a destination, or without a sender for it.
    private func invitation(
        _ destination: Destination?, _ name: String, _ password: String, _ account: UUID, _ backEnd: BackEnd
    ) throws(Rejection) -> OutgoingMessage {
        guard let destination, outbox.reaches(destination.medium) else { throw .deliveryUnavailable }
        try outbox.admit(destination)
        return outbox.prepare(
            .invitation(name: name, password: password), to: destination, language: "", account: account,
            client: backEnd.client.id)
    }

    /// A failed delivery is tried again by the outbox, so it is no refusal.
    private func deliver(_ message: OutgoingMessage?) async {
        guard let message else { return }
        try? await outbox.deliver(message)
    }
}

extension DirectoryUser {
    /// The main address.
    fileprivate var email: EmailAddress? { profile.summary.email.flatMap(EmailAddress.init) }
}
