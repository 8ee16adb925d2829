import Clients
import Foundation
import HTTPServer
import JSON
import Sessions
import SignIn
import Vocabulary

/// A request of `GetDerivedToken`, as far as the gateway follows it: a user's access token for one of a service.
struct CognitoExchange {
    private enum TokenType: String, CaseIterable {
        case access = "ACCESS_TOKEN"
        case identity = "ID_TOKEN"
        case assertion = "SAML2"
    }

    let subject: String
    /// The requested scopes; nil for those of the user's token.
    let scopes: Set<TokenScope>?
    let audience: String

    private static let (mostScopes, mostText) = (50, 256)
    private static let actor = ["ActorToken", "ActorTokenType", "ActorTokenProviderName"]

    /// - Throws: ``CognitoError`` for a request of another form, and for what the gateway does not derive.
    init(_ request: CognitoRequest) throws(CognitoError) {
        subject = try request.text("SubjectToken")
        guard try request.choice("SubjectTokenType", of: TokenType.self) == .access,
            try request.optional("SubjectTokenProviderName") == nil
        else { throw .invalid("Only access tokens of the user pool can be exchanged.") }
        guard try request.optionalChoice("RequestedTokenType", of: TokenType.self) ?? .access == .access else {
            throw .invalid("Only access tokens can be issued.")
        }
        for member in Self.actor where request.body[member].map({ !$0.isNull }) ?? false {
            throw .invalid("\(member) is not supported.")
        }
        let names = try Self.texts(request, "Scopes", most: Self.mostScopes)
        scopes = names.isEmpty ? nil : Set(names: names)
        let audiences = try Self.texts(request, "Audiences", most: 1)
        let resources = try Self.texts(request, "Resources", most: 1)
        guard audiences.isEmpty || resources.isEmpty else {
            throw .invalid("Audiences and Resources can't be used together.")
        }
        guard let audience = (audiences + resources).first else { throw .missing("Audiences") }
        self.audience = audience
    }

    private static func texts(
        _ request: CognitoRequest, _ name: String, most: Int
    ) throws(CognitoError) -> [String] {
        let texts = try request.names(name)
        guard texts.count <= most, texts.allSatisfy({ (1...mostText).contains($0.utf8.count) }) else {
            throw .invalid("Invalid parameter \(name).")
        }
        return texts
    }

    /// - Throws: ``CognitoError`` for an app that may exchange no tokens, or none for this audience.
    func require(_ client: Client) throws(CognitoError) {
        let audiences = client.dialects.cognito?.exchangeAudiences ?? []
        guard client.kind == .confidential, !audiences.isEmpty else {
            throw CognitoError(
                .operationNotEnabled, "The client may not exchange tokens.", code: Rejection.audienceNotAllowed.code)
        }
        guard audiences.contains(audience) else {
            throw CognitoError(
                .invalidParameter, "The client may not request this audience.",
                code: Rejection.audienceNotAllowed.code)
        }
    }

    /// The scopes of the derived token: never that of the API, which the user's app alone may call.
    ///
    /// - Throws: ``CognitoError`` where none of the requested ones is left.
    func granted(of held: Set<TokenScope>) throws(CognitoError) -> Set<TokenScope> {
        let rest = held.subtracting([.cognitoAPI])
        guard let scopes else { return rest }
        let granted = rest.intersection(scopes)
        guard !granted.isEmpty else { throw .invalid("None of the scopes can be granted.") }
        return granted
    }
}

extension CognitoTokens {
    /// `GetDerivedToken`.
    func getDerivedToken(_ request: CognitoRequest, _ call: inout DoorCall) async throws -> JSONObject {
        let client = try client(request, &call, secret: try request.optional("ClientSecret"))
        let exchange = try CognitoExchange(request)
        try exchange.require(client)
        let now = calls.directory.now
        let subject = try await inspector.subject(exchange.subject, at: now)
        call.accountID = subject.session.facts.account
        try require(subject.session, for: client, at: now)
        let scopes = try exchange.granted(of: subject.scopes)
        let derived = try await inspector.derive(
            from: subject, scopes, for: exchange.audience, by: client, caller: call.caller, at: now)
        return [
            "IssuedToken": .string(derived.text), "IssuedTokenType": "ACCESS_TOKEN", "TokenType": "Bearer",
            "ExpiresIn": .integer(derived.life), "Scopes": .array(scopes.names.map(JSON.string)),
        ]
    }

    /// The user's session is of the same pool, and satisfies the rules of the app as a sign-in would.
    private func require(_ session: SessionSnapshot, for client: Client, at now: Date) throws(Rejection) {
        let pool = calls.clients.client(session.facts.clientID)?.dialects.cognito?.poolID
        guard let pool, pool == client.dialects.cognito?.poolID else { throw .tokenInvalid }
        switch SingleSignOn(session, for: client, in: .cognito, at: now) {
        case .serves: return
        case .secondFactorDue: throw .stepUpRequired
        case .signInDue: throw .reauthRequired
        }
    }
}
