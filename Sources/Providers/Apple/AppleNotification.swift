import Cryptography
package import FoundationEssentials
package import JSON

/// Server-to-server notifications: "Processing changes for Sign in with Apple accounts".
///
/// They have the issuer, audiences, keys and algorithm of ID tokens. A notification differs by its `events`, and
/// has neither a subject nor a nonce of its own.
extension AppleProvider: SendsNotifications {
    package func notification(_ posted: JSONObject, at now: Date) async throws(ProviderError) -> ProviderNotification {
        // Apple may add members.
        let payload = try CredentialReader(["payload": posted["payload"] ?? .null], of: "payload")
        let jwt = try IDTokenVerifier.parse(payload, member: "payload", maximumLength: 8_192)
        guard let rules = AppleNotificationRules(configuration) else { throw .refused(.audienceMismatch) }
        try rules.checkKind(of: jwt)
        guard let keyID = jwt.keyID else { throw .refused(.keyIDMalformed) }
        let key = try await keys.key(id: keyID, algorithm: .RS256)
        guard jwt.isSigned(by: key.key, .RS256) else { throw .refused(.signatureInvalid) }
        let (id, issued) = try rules.identity(of: jwt.claims, at: now)
        let events = try AppleEvents(issued: issued, now: now).read(jwt.claims["events"] ?? .null)
        return ProviderNotification(id: id, realm: configuration.teamID, events: events)
    }
}

/// The checks of a notification apart from its events.
struct AppleNotificationRules {
    /// Seconds since `iat` for a notification without `exp`.
    private static let usualAge = 7 * 86_400.0
    /// The retention of processed notifications is longer than this.
    private static let greatestAge = 30 * 86_400.0

    private let header: TokenRules
    private let audiences: [String]

    /// Nil without a configured client: an empty list accepts no audience.
    init?(_ configuration: AppleProvider.Configuration) {
        audiences = configuration.nativeClientIDs + configuration.webClientIDs
        let rules = try? TokenRules(
            algorithms: [.RS256], issuer: .oneOf([AppleProvider.issuer]), audiences: Set(audiences))
        guard let rules else { return nil }
        header = rules
    }

    /// Every check that needs no key, so that an unauthenticated caller's token causes no request.
    func checkKind(of jwt: JWT) throws(ProviderError) {
        if let refusal = JWTVerifier.headerRefusal(of: jwt, rules: header) { throw .refused(refusal) }
        guard jwt.claims["events"] != nil, jwt.claims["sub"] == nil, jwt.claims["nonce"] == nil else {
            throw .refused(.wrongTokenType)
        }
        guard let issuer = jwt.claims["iss"]?.string, issuer.hasSameBytes(as: AppleProvider.issuer) else {
            throw .refused(.issuerNotAllowed)
        }
    }

    /// The id and the time of a notification for one of our clients.
    func identity(of claims: JSONObject, at now: Date) throws(ProviderError) -> (id: String, issued: Double) {
        let named = claims["aud"]?.array ?? [claims["aud"] ?? .null]
        guard named.count == 1, let audience = named[0].string, audiences.contains(where: audience.hasSameBytes) else {
            throw .refused(.audienceMismatch)
        }
        let issued = try issueTime(of: claims, at: now.timeIntervalSince1970)
        guard let id = claims["jti"]?.string, (1...255).contains(id.utf8.count) else {
            throw .invalidRequest(member: "payload", reason: "jti_malformed")
        }
        return (id, issued)
    }

    private func issueTime(of claims: JSONObject, at now: Double) throws(ProviderError) -> Double {
        guard let issued = try Self.time("iat", in: claims), issued <= now + 60 else {
            throw .refused(.issuedAtInvalid)
        }
        let expiry = try Self.time("exp", in: claims)
        if let expiry {
            guard issued < expiry else { throw .refused(.issuedAtInvalid) }
            guard expiry > now - Double(AppleProvider.expirySkew) else { throw .refused(.expired) }
        }
        guard now - issued <= (expiry == nil ? Self.usualAge : Self.greatestAge) else { throw .refused(.tooOld) }
        return issued
    }

    private static func time(_ name: String, in claims: JSONObject) throws(ProviderError) -> Double? {
        guard let value = claims[name] else { return nil }
        guard let seconds = value.double, (0...1e11).contains(seconds) else { throw .refused(.claimType) }
        return seconds
    }
}

/// Reads `events`: an object by Apple's page, a text with one in every capture; lists of either are accepted too.
struct AppleEvents {
    private static let mostEvents = 10
    private static let limits = JSONLimits(bytes: 4_096, depth: 4, members: 50)

    let issued: Double
    let now: Date

    func read(_ value: JSON) throws(ProviderError) -> [ProviderNotification.Event] {
        let values = value.array ?? [value]
        guard (1...Self.mostEvents).contains(values.count) else { throw Self.malformed }
        return try values.map { value throws(ProviderError) in try event(value) }
    }

    /// Reads one event; an unknown type becomes `other`, so that it does not block the other events.
    private func event(_ value: JSON) throws(ProviderError) -> ProviderNotification.Event {
        let parsed = value.string.flatMap { try? JSON(parsing: $0, limits: Self.limits) } ?? value
        guard let members = parsed.object, let type = members["type"]?.string else { throw Self.malformed }
        let kind = Self.kind(type)
        guard kind != .other else { return ProviderNotification.Event(kind: .other, subject: "", at: now, email: nil) }
        guard let subject = members["sub"]?.string, (1...255).contains(subject.utf8.count),
            members["email"].map({ $0.string != nil }) ?? true
        else { throw Self.malformed }
        let address = members["email"]?.string.flatMap { ExternalEmail(address: $0, authority: .unverified) }
        return ProviderNotification.Event(
            kind: kind, subject: subject, at: try time(members["event_time"]), email: address?.address)
    }

    /// Reads a time: milliseconds in captures, seconds on Apple's page.
    ///
    /// A whole second counts as its end. Otherwise a change within that second would look newer.
    ///
    /// A time in the future would make every later event an old one.
    private func time(_ value: JSON?) throws(ProviderError) -> Date {
        guard let number = (value ?? .double(issued)).double, (0...1e14).contains(number) else { throw Self.malformed }
        let seconds = number > 1e11 ? number / 1_000 : number.rounded(.down) + 0.999
        return min(Date(timeIntervalSince1970: seconds), now)
    }

    /// Apple's page has used both spellings of the last one.
    private static func kind(_ type: String) -> ProviderNotification.Kind {
        switch type {
        case "email-disabled": .emailDisabled
        case "email-enabled": .emailEnabled
        case "consent-revoked": .consentRevoked
        case "account-delete", "account-deleted": .accountDeleted
        default: .other
        }
    }

    private static let malformed = ProviderError.invalidRequest(member: "payload", reason: "events_malformed")
}
