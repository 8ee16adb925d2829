import FoundationEssentials
import JSON

/// Server-to-server notifications: "Processing changes for Sign in with Apple accounts".
extension AppleSimulator {
    /// The form of `events`: a text in every capture, an object on Apple's page.
    private enum EventForm: String, CaseIterable {
        case text, object, list
    }

    private static let members: Set<String> = [
        "provider", "type", "subject", "email", "client_id", "event_time", "form", "events", "claims", "null_claims",
        "header", "signing", "keep_tokens",
    ]

    /// The body that Apple would post.
    ///
    /// A user who disconnects loses the refresh tokens here, as at Apple.
    func notification(_ members: ControlMembers, at now: Date) throws -> JSON {
        try members.expectOnly(Self.members)
        let type = try members.text("type") ?? "consent-revoked"
        let subject = try members.text("subject") ?? Person.demo(of: .apple).appleSubject
        let claims = try claims(members, events: events(members, type: type, subject: subject, at: now), at: now)
        let signing = try members.text("signing") ?? SigningMode.normal.rawValue
        guard let mode = SigningMode(rawValue: signing) else {
            throw ControlError("signing is one of \(SigningMode.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        let token = try forge.token(claims, header: try members.object("header") ?? [:], signing: mode)
        if try members.flag("keep_tokens") != true,
            ["consent-revoked", "account-delete", "account-deleted"].contains(type)
        {
            refreshTokens.removeAll { $0.claims["sub"]?.string == subject }
        }
        return ["payload": .string(token)]
    }

    private func claims(_ members: ControlMembers, events: JSON, at now: Date) throws -> JSONObject {
        let seconds = Int(now.timeIntervalSince1970)
        let usual: JSONObject = [
            "iss": .string(Defaults.appleIssuer),
            "aud": .string(try members.text("client_id") ?? Defaults.appleNativeClient),
            "iat": .integer(seconds), "exp": .integer(seconds + 86_400), "jti": .string(RandomText.base64URL(16)),
            "events": events,
        ]
        return usual.overridden(by: try members.object("claims") ?? [:])
            .settingNull(try members.texts("null_claims") ?? [])
    }

    private func events(_ members: ControlMembers, type: String, subject: String, at now: Date) throws -> JSON {
        if let given = members.object["events"] { return given }
        var event: JSONObject = [
            "type": .string(type), "sub": .string(subject),
            "event_time": members.object["event_time"] ?? .integer(Int(now.timeIntervalSince1970 * 1_000)),
        ]
        if type.hasPrefix("email-") {
            event.add("email", try members.text("email"))
            event["is_private_email"] = "true"
        }
        let name = try members.text("form") ?? EventForm.text.rawValue
        switch EventForm(rawValue: name) {
        case .text: return .string(JSON.object(event).text)
        case .object: return .object(event)
        case .list: return [.object(event)]
        case nil:
            throw ControlError("form is one of \(EventForm.allCases.map(\.rawValue).joined(separator: ", "))")
        }
    }
}

extension ControlRoutes {
    /// `POST /control/notification`: the body of a notification, for the caller to post.
    func notification(_ members: ControlMembers) throws -> Answer {
        guard let apple = try provider(members.provider()) as? AppleSimulator else {
            throw ControlError("this provider sends no notifications")
        }
        return .secret(try apple.notification(members, at: Date()))
    }
}
