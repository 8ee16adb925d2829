import Accounts
import AdminHTTP
import Clients
import Foundation
import HTTPServer
import HTTPTypes
import JSON
import OperatorAccess
import Sessions
import SignIn
import Vocabulary

/// Tokens for back ends: for themselves, and for the next API in the name of a user.
extension OpenIDTokenDoor {
    /// Client credentials (RFC 6749 §4.4): `scope`?, `resource`?.
    func serviceToken(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        if let resource = form["resource"], clients.resources.isAdministration(resource) {
            return try await administrationToken(form, client, call)
        }
        guard client.kind == .confidential, client.openID.isServiceAccount else {
            throw Problem(.badRequest, code: "unauthorized_client")
        }
        let token = try await exchanger.serviceToken(
            for: client, at: form["resource"], scope: form["scope"], key: call.caller.key)
        return Self.answer(token)
    }

    /// The same with the administration API as `resource`, for a client with an access key that has no secret.
    private func administrationToken(
        _ form: FormBody, _ client: Client, _ call: DoorCall
    ) async throws -> JSONObject {
        do {
            guard client.kind == .confidential,
                let key = try clients.ownKey(of: client, from: call.caller, at: directory.now)
            else { throw Problem(.badRequest, code: "unauthorized_client") }
            return Self.answer(
                try await exchanger.administrationToken(
                    for: client, by: key, scope: form["scope"], key: call.caller.key))
        } catch let refusal as AdminRefusal {
            throw Problem(refusal)
        }
    }

    /// Token exchange (RFC 8693 §2.1) of an access token for one with which the client calls an API in the name of its user.
    func exchanged(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        guard client.kind == .confidential else { throw Problem(.badRequest, code: "unauthorized_client") }
        guard form["actor_token"] == nil else { throw Problem.invalidMember("/actor_token", "not_offered") }
        if form["requested_token_type"] == TokenExchanger.assertionType {
            return try await assertion(form, client, call)
        }
        guard form["subject_token_type"] == TokenExchanger.accessTokenType else {
            throw Problem.invalidMember("/subject_token_type", "must_be_an_access_token")
        }
        guard form["requested_token_type"].map({ $0 == TokenExchanger.accessTokenType }) ?? true else {
            throw Problem.invalidMember("/requested_token_type", "must_be_an_access_token")
        }
        if form["requested_subject"] != nil { return try await acting(form, client, call) }
        guard let resource = form["resource"] ?? form["audience"] else { throw Rejection.targetInvalid() }
        let asked = TokenExchanger.Asked(
            subject: try form.required("subject_token"), resource: resource, scope: form["scope"])
        var answer = Self.answer(try await exchanger.exchange(asked, by: client, caller: call.caller))
        answer["issued_token_type"] = .string(TokenExchanger.accessTokenType)
        return answer
    }

    /// The exchange of an operator's access token for one of another user, with `requested_subject` and `reason`.
    ///
    /// RFC 8693 leaves impersonation without the user's own token to the server.
    private func acting(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        guard let account = form["requested_subject"].flatMap(UUID.init(text:)) else {
            throw Problem.invalidMember("/requested_subject", "must_be_id")
        }
        do {
            let asked = Impersonation.Asked(
                subject: PresentedToken(try form.required("subject_token"), provedBy: call.caller.key),
                account: account, reason: try Reason(form["reason"]))
            let issued = try await impersonation.token(asked, at: client, caller: call.caller)
            return [
                "access_token": .string(issued.accessToken), "token_type": .string(issued.tokenType),
                "expires_in": .integer(issued.accessTokenLife), "session_id": .string(issued.id.text),
                "issued_token_type": .string(TokenExchanger.accessTokenType),
            ]
        } catch let refusal as AdminRefusal {
            throw Problem(refusal)
        }
    }

    /// The same of an ID token for an assertion, with which the client goes to another company's authorization server (ID-JAG).
    private func assertion(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        guard form["subject_token_type"] == TokenExchanger.idTokenType else {
            throw Problem.invalidMember("/subject_token_type", "must_be_an_id_token")
        }
        let token = try await exchanger.assertion(
            about: try form.required("subject_token"), for: try form.required("audience"), at: form["resource"],
            scope: form["scope"], by: client, caller: call.caller)
        var answer = Self.answer(token)
        answer["issued_token_type"] = .string(TokenExchanger.assertionType)
        return answer
    }

    /// The access token that another company's identity provider lets the client have for a user (ID-JAG, RFC 7523 §2.1).
    func asserted(_ form: FormBody, _ client: Client, _ call: DoorCall) async throws -> JSONObject {
        guard assertions.isOn else { throw Problem(.badRequest, code: "unsupported_grant_type") }
        guard client.kind == .confidential else { throw Problem(.badRequest, code: "unauthorized_client") }
        let session = try await assertions.signIn(
            try form.required("assertion"), at: form["resource"], scope: form["scope"], by: client, caller: call.caller)
        return Self.answer(session, isRefreshed: false)
    }

    /// Neither has a refresh token, nor an ID token.
    private static func answer(_ token: TokenExchanger.Issued) -> JSONObject {
        var answer: JSONObject = [
            "access_token": .string(token.accessToken), "token_type": .string(token.tokenType),
            "expires_in": .integer(token.life),
        ]
        if !token.scopes.isEmpty { answer["scope"] = .string(token.scopes.joined(separator: " ")) }
        return answer
    }
}
