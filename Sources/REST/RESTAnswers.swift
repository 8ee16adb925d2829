import Clients
import Foundation
import JSON
import Sessions
import SignIn
import Telemetry
import Vocabulary

/// The answers of this door, in the API's JSON names.
enum RESTAnswers {
    static func outcome(_ outcome: SignInOutcome) -> JSON {
        switch outcome {
        case .signedIn(let signedIn): self.signedIn(signedIn)
        case .nextStep(let pending): nextStep(pending)
        }
    }

    private static func signedIn(_ signedIn: SignedIn) -> JSON {
        var answer: JSONObject = ["status": "signed_in", "account": account(signedIn.account)]
        answer["identity"] = signedIn.identity.map { identity in
            [
                "id": .string(identity.id.text), "provider": .string(identity.provider),
                "subject": .string(identity.subject),
            ]
        }
        if case .tokens(let session) = signedIn.session { answer["session"] = issued(session) }
        answer["new_account"] = .bool(signedIn.isNewAccount)
        answer["device"] = signedIn.deviceToken.map { ["token": .string($0)] }
        answer["recovery_codes"] = codes(signedIn.recoveryCodes)
        return .object(answer)
    }

    static func nextStep(_ pending: PendingStep) -> JSON {
        var answer: JSONObject = [
            "status": "next_step", "flow": .string(pending.flow), "expires_in": .integer(pending.expiresIn),
            "next_step": RESTNextStep.json(pending.step),
        ]
        answer["recovery_codes"] = codes(pending.recoveryCodes)
        return .object(answer)
    }

    static func codes(_ codes: [String]?) -> JSON? { codes.map { .array($0.map(JSON.string)) } }

    static func issued(_ session: IssuedSession) -> JSON {
        var answer: JSONObject = [
            "id": .string(session.id.text), "token_type": .string(session.tokenType),
            "access_token": .string(session.accessToken),
            "expires_in": .integer(session.accessTokenLife), "refresh_token": .string(session.refreshToken),
            "refresh_expires_in": .integer(session.refreshTokenLife),
        ]
        answer.add(idTokenOf: session)
        return .object(answer)
    }

    static func account(_ account: AccountSummary) -> JSON {
        var object: JSONObject = [
            "id": .string(account.id.text), "display_name": text(account.displayName), "email": text(account.email),
            "email_verified": .bool(account.emailVerified), "created_at": time(account.createdAt),
        ]
        if account.isGuest { object["guest"] = true }
        object["deletion"] = account.deletion.map(deletion)
        return .object(object)
    }

    static func deletion(_ deletion: AccountDeletion) -> JSON {
        ["requested_at": time(deletion.requestedAt), "due_at": time(deletion.dueAt)]
    }

    static func profile(_ profile: AccountProfile) -> JSON {
        var object = account(profile.summary).object ?? [:]
        object["user_name"] = text(profile.userName)
        object["phone"] = text(profile.phone)
        object["phone_verified"] = .bool(profile.phoneVerified)
        object["attributes"] = .object(profile.attributes)
        object["first_factor"] = text(profile.firstFactor)
        object["factor_removal"] = profile.factorRemovalDue.map { ["due_at": time($0)] }
        return .object(object)
    }

    static func session(_ snapshot: SessionSnapshot) -> JSON {
        let facts = snapshot.facts
        var session: JSONObject = [
            "id": .string(facts.session.text), "client_id": .string(facts.clientID),
            "provider": .string(facts.provider),
            "auth_time": time(facts.authTime), "amr": .array(facts.amr.map(JSON.string)), "acr": .string(facts.acr),
            "created_at": time(snapshot.createdAt), "expires_at": time(snapshot.expiresAt),
        ]
        if !facts.claims.members.isEmpty { session["claims"] = .object(facts.claims) }
        return ["session": .object(session), "account": account(snapshot.account)]
    }

    static func identity(_ identity: LinkedIdentity) -> JSON {
        [
            "id": .string(identity.id.text), "provider": .string(identity.provider),
            "subject": .string(identity.subject),
            "email": text(identity.email), "email_verified": .bool(identity.emailVerified),
            "linked_at": time(identity.linkedAt),
        ]
    }

    static func device(_ session: DeviceSession, isCurrent: Bool) -> JSON {
        [
            "id": .string(session.id.text), "current": .bool(isCurrent), "client_id": .string(session.clientID),
            "provider": .string(session.provider), "dialect": .string(session.dialect.rawValue),
            "device_name": text(session.deviceName), "address": text(session.address),
            "user_agent": text(session.userAgent), "created_at": time(session.createdAt),
            "last_used_at": time(session.lastUsedAt),
            "idle_expires_at": time(session.idleExpiresAt), "expires_at": time(session.expiresAt),
        ]
    }

    private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    static func time(_ date: Date) -> JSON { .string(RFC3339.text(date)) }
}

extension JSONObject {
    /// Adds the ID token with its scopes (RFC 6749 §5.1), if the session has one.
    mutating func add(idTokenOf session: IssuedSession) {
        guard let token = session.idToken else { return }
        self["id_token"] = .string(token)
        self["scope"] = .string(session.scopes.names.joined(separator: " "))
    }
}
