import Accounts
import HTTPServer
import JSON
import OperatorAccess
import Operators
import Sessions

/// Administrator operations that link and unlink the identities of a user.
struct CognitoIdentities: Sendable {
    let users: CognitoUsers
    let moves: IdentityMoves
    let providers: ProviderDesk

    /// `AdminLinkProviderForUser`: links the identity of `SourceUser` to the user of `DestinationUser`.
    func link(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let subject = try subject("SourceUser", request)
        guard let name = try request.object("DestinationUser")["ProviderAttributeValue"]?.string, !name.isEmpty else {
            throw CognitoError.missing("DestinationUser.ProviderAttributeValue")
        }
        let user = try await users.directory.user(named: name, by: backEnd.actor)
        call.accountID = user.id
        _ = try await moves.link(
            subject, to: user.id, because: try Reason("AdminLinkProviderForUser"), by: backEnd.actor)
        users.sessions.forget(account: user.id)
        return [:]
    }

    /// `AdminDisableProviderForUser`: unlinks the identity; the user keeps another sign-in method.
    func unlink(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let subject = try subject("User", request)
        let owner = try await moves.unlink(
            subject, because: try Reason("AdminDisableProviderForUser"), by: backEnd.actor)
        call.accountID = owner
        users.sessions.forget(account: owner)
        return [:]
    }

    /// The identity of a member; its provider must have one realm.
    private func subject(_ member: String, _ request: CognitoRequest) throws -> IdentityMoves.Subject {
        let user = try request.object(member)
        guard user["ProviderAttributeName"] == "Cognito_Subject" else {
            throw CognitoError.invalid("ProviderAttributeName of \(member) must be Cognito_Subject.")
        }
        guard let name = user["ProviderName"]?.string, let provider = CognitoProviders.id(named: name) else {
            throw CognitoError.missing("\(member).ProviderName")
        }
        guard let subject = user["ProviderAttributeValue"]?.string, !subject.isEmpty else {
            throw CognitoError.missing("\(member).ProviderAttributeValue")
        }
        let realms = providers.realms.filter { $0.provider == provider }
        guard let realm = realms.first?.realm, realms.count == 1 else {
            throw CognitoError.invalid("Invalid ProviderName: \(name.bounded(bytes: 64)).")
        }
        return IdentityMoves.Subject(provider: provider, realm: realm, subject: subject)
    }
}
