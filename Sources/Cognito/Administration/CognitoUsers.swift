import Accounts
import Clients
import Foundation
import HTTPServer
import JSON
import OperatorAccess
import Sessions
import SignIn
import Vocabulary

/// Administrator operations that read users and change their state and attributes.
struct CognitoUsers: Sendable {
    let directory: UserDirectory
    let care: AccountCare
    let leaving: AccountLeaving
    let factors: FactorService
    let sessions: SessionDirectory

    /// The user of `Username`.
    func user(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> DirectoryUser {
        let name = try request.text("Username", most: 512)
        let user = try await directory.user(named: name, by: backEnd.actor)
        call.accountID = user.id
        return user
    }

    /// `ListUsers`.
    func listUsers(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd
    ) async throws -> JSONObject {
        let limit = request.body["Limit"]?.integer ?? Self.mostUsers
        guard (0...Self.mostUsers).contains(limit) else {
            throw CognitoError.constraint(String(limit), at: "limit", "have value less than or equal to 60")
        }
        let filter = try CognitoFilter.parse(try request.optional("Filter", most: 256), backEnd.client)
        let token = try request.optional("PaginationToken", most: 64)
        let after = token.flatMap { UUID(text: $0) }
        guard token == nil || after != nil else { throw CognitoError.invalid("Invalid pagination token given.") }
        let page = try await directory.page(
            filter, after: after, limit: limit == 0 ? Self.mostUsers : limit, by: backEnd.actor)
        let wanted = try request.names("AttributesToGet")
        var answer: JSONObject = [
            "Users": .array(
                page.users.map {
                    .object($0.cognito(attributesIn: "Attributes", wanted: wanted, of: backEnd.client))
                })
        ]
        answer["PaginationToken"] = page.next.map { .string($0.text) }
        return answer
    }

    private static let mostUsers = 60

    /// `AdminGetUser`.
    func getUser(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await user(request, backEnd, &call)
        var answer = user.cognito(attributesIn: "UserAttributes", of: backEnd.client)
        CognitoMFASettings(try await factors.factors(of: user.id)).write(to: &answer)
        return answer
    }

    /// `AdminEnableUser` and `AdminDisableUser`; a repeated call changes nothing.
    ///
    /// Enabling does not cancel a deletion.
    func set(
        isEnabled: Bool, _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await user(request, backEnd, &call)
        guard isEnabled ? !user.isEnabled : user.isActive else { return [:] }
        let reason = try Reason(isEnabled ? "AdminEnableUser" : "AdminDisableUser")
        try await care.set(enabled: isEnabled, user.id, because: reason, by: backEnd.actor)
        sessions.forget(account: user.id)
        return [:]
    }

    /// `AdminUserGlobalSignOut`.
    func signOut(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await user(request, backEnd, &call)
        do {
            try await care.endSessions(
                nil, of: user.id, because: try Reason("AdminUserGlobalSignOut"), by: backEnd.actor)
        } catch AdminRefusal.nothingToChange {
            return [:]
        }
        sessions.forget(account: user.id)
        return [:]
    }

    /// `AdminDeleteUser`: at once, or after the waiting time of the service.
    func delete(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await user(request, backEnd, &call)
        _ = try await leaving.delete(
            user.id, now: false, because: try Reason("AdminDeleteUser"), by: backEnd.actor)
        sessions.forget(account: user.id)
        return [:]
    }

    /// `AdminUpdateUserAttributes`: an address changes with a code only, but the back end may vouch for the present one.
    func updateAttributes(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await user(request, backEnd, &call)
        let held = Dictionary(user.profile.cognitoAttributes.map { ($0.name, $0.value) }) { first, _ in first }
        let sent = try request.attributes("UserAttributes").filter { held[$0.name] != $0.value }
        let vouched = sent.filter { Self.flags[$0.name] != nil && $0.value == "true" }
        let others = sent.filter { sent in !vouched.contains { $0.name == sent.name } }
        guard !others.contains(where: { Self.proved.contains($0.name) }) else {
            throw CognitoError.invalid("An address or number of a user changes with a code: use UpdateUserAttributes.")
        }
        try requireKnown(others.map(\.name), backEnd.client)
        let reason = "AdminUpdateUserAttributes"
        let answer = try await change(CognitoProfileChange(others, backEnd.client), reason, user, backEnd)
        for flag in vouched { try await vouch(for: flag.name, reason, user, backEnd) }
        return answer
    }

    private func vouch(
        for flag: String, _ reason: String, _ user: DirectoryUser, _ backEnd: UserProvisioning.BackEnd
    ) async throws {
        guard let kind = Self.flags[flag] else { return }
        try await directory.vouch(
            for: kind, of: user.id, client: backEnd.client.id, because: try Reason(reason), by: backEnd.actor)
        sessions.forget(account: user.id)
    }

    /// Refuses an attribute that the app does not have, as a sign-up does.
    private func requireKnown(_ names: [String], _ client: Client) throws(CognitoError) {
        for name in names where CognitoAttributes.Own(rawValue: name) == nil {
            _ = try client.cognitoAttribute(named: name)
        }
    }

    private static let proved: Set<String> = ["email", "email_verified", "phone_number", "phone_number_verified"]
    private static let flags: [String: SignInName.Kind] = ["email_verified": .email, "phone_number_verified": .phone]

    /// `AdminDeleteUserAttributes`.
    func deleteAttributes(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await user(request, backEnd, &call)
        let names = try request.names("UserAttributeNames")
        try requireKnown(names, backEnd.client)
        return try await change(
            CognitoProfileChange(removing: names, backEnd.client), "AdminDeleteUserAttributes", user, backEnd)
    }

    private func change(
        _ change: CognitoProfileChange, _ operation: String, _ user: DirectoryUser,
        _ backEnd: UserProvisioning.BackEnd
    ) async throws -> JSONObject {
        guard !change.members.members.isEmpty else { return [:] }
        try await directory.change(
            user.id, try ProfileChange(change.members, by: .backEnd, client: backEnd.client), client: backEnd.client.id,
            because: try Reason(operation), by: backEnd.actor)
        sessions.forget(account: user.id)
        return [:]
    }
}
