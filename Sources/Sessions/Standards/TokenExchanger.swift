package import Clients
import Cryptography
import Foundation
import JSON
package import Logging
package import Postgres
package import Vocabulary

/// Exchanges the token of a user that an app's back end got, for one with which it calls the next API (RFC 8693).
///
/// The new token names everybody who acts for the user (`act`), and ends with the user's session.
package struct TokenExchanger: Sendable {
    let issuer: TokenIssuer
    let keyStore: SigningKeyStore
    let directory: SessionDirectory
    private let clients: ClientRegistry
    private let subjects: PairwiseSubjects
    private let pool: ConnectionPool
    let logger: Logger

    package static let grantType = "urn:ietf:params:oauth:grant-type:token-exchange"
    package static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    /// Of actors, the present one included.
    static let deepest = 4

    package init(
        issuer: TokenIssuer, keyStore: SigningKeyStore, directory: SessionDirectory, clients: ClientRegistry,
        subjects: PairwiseSubjects, pool: ConnectionPool, logger: Logger
    ) {
        (self.issuer, self.keyStore, self.directory) = (issuer, keyStore, directory)
        (self.clients, self.subjects, self.pool, self.logger) = (clients, subjects, pool, logger)
    }

    /// The members of a request.
    package struct Asked: Sendable {
        let subject: String
        let resource: String
        let scope: String?

        /// - Parameters:
        ///   - subject: the user's access token.
        ///   - resource: the identifier of the API to call.
        package init(subject: String, resource: String, scope: String?) {
            (self.subject, self.resource, self.scope) = (subject, resource, scope)
        }
    }

    /// A token without a session of its own.
    package struct Issued: Sendable {
        package let accessToken: String
        /// In seconds.
        package let life: Int
        package let scopes: [String]
        /// `token_type`.
        package let tokenType: String
    }

    /// - Throws: `subjectTokenInvalid` for a token that is no live one for this client or its API, `targetInvalid`,
    ///   `scopeInvalid`.
    package func exchange(_ asked: Asked, by client: Client, caller: Caller) async throws(Rejection) -> Issued {
        try client.requireKey(caller.key)
        let now = directory.now
        guard let subject = try? issuer.verifyForAny(asked.subject, at: now), let user = subject.user,
            Self.isFor(subject, client), user.key == nil || user.key == caller.key,
            let session = try await directory.live(user.session, at: now),
            session.isNamed(by: user.subject, isOwn: subject.isOwn)
        else { throw .subjectTokenInvalid }
        // `*` admits every app to ask users, and none to act for them.
        guard let resource = clients.resources[asked.resource], resource.clients.contains(client.id) else {
            throw .targetInvalid(SentText(asked.resource))
        }
        let target = ResourceTarget(resource, scopes: try Self.scopes(asked.scope, subject, resource))
        let actors = try Self.actors(subject, client)
        try await rejecting(logger) { try await keyStore.ready(resource.algorithm, in: issuer.keys) }
        let life = min(resource.tokenLife ?? client.accessTokenLife, Int(subject.expires.timeIntervalSince(now)))
        let facts = try await subjects.facts(session.facts.known(as: user.subject), at: resource)
        guard
            let token = try? issuer.exchanged(
                facts.bound(to: caller.key), of: client, for: target, actors, now: now, life: life)
        else { throw .internalError }
        let detail: JSON = [
            "resource": .string(resource.identifier), "scopes": .array(target.scopes.map(JSON.string)), "act": actors,
        ]
        try await record(facts, client, detail, caller)
        return Issued(
            accessToken: token, life: life, scopes: target.scopes,
            tokenType: AccessTokenFacts.tokenType(boundTo: caller.key))
    }

    /// A token of a client for itself (RFC 6749 §4.4).
    ///
    /// - Parameters:
    ///   - asked: the identifier of an API that lists the client; nil for the client's own API.
    ///   - key: the thumbprint of the key to which the token is bound.
    /// - Throws: `targetInvalid`, `scopeInvalid`.
    package func serviceToken(
        for client: Client, at asked: String?, scope: String?, key: String? = nil
    ) async throws(Rejection) -> Issued {
        try client.requireKey(key)
        let resource = try asked.map { (name) throws(Rejection) in
            guard let resource = clients.resources[name], resource.clients.contains(client.id) else {
                throw .targetInvalid(SentText(name))
            }
            return resource
        }
        let wanted = Set((scope ?? "").words)
        try Rejection.requireScopes(wanted, among: Set(resource?.scopes.keys.map(\.self) ?? []))
        let target = resource.map { ResourceTarget($0, scopes: wanted) }
        try await rejecting(logger) { try await keyStore.ready(resource?.algorithm ?? .es256, in: issuer.keys) }
        guard let token = try? issuer.serviceToken(for: client, at: target, boundTo: key, now: directory.now) else {
            throw .internalError
        }
        return Issued(
            accessToken: token, life: resource?.tokenLife ?? client.accessTokenLife, scopes: target?.scopes ?? [],
            tokenType: AccessTokenFacts.tokenType(boundTo: key))
    }

    /// A token of a client for the administration API, where it acts as its access key, and until that expires.
    ///
    /// - Parameter key: the thumbprint of the key to which the token is bound.
    package func administrationToken(
        for client: Client, by accessKey: AccessKey, scope: String?, key: String?
    ) async throws(Rejection) -> Issued {
        try client.requireKey(key)
        if let scope, !scope.isEmpty { throw .scopeInvalid(SentText(scope)) }
        try await rejecting(logger) { try await keyStore.ready(.es256, in: issuer.keys) }
        let now = directory.now
        let life = accessKey.life(client.accessTokenLife, at: now)
        guard
            let token = try? issuer.administrationToken(for: client, by: accessKey, life: life, boundTo: key, now: now)
        else { throw .internalError }
        return Issued(
            accessToken: token, life: life, scopes: [],
            tokenType: AccessTokenFacts.tokenType(boundTo: key))
    }

    /// Whether the token was meant for the client or for one of its APIs: otherwise any service could use every token it sees.
    private static func isFor(_ subject: TokenIssuer.Verified, _ client: Client) -> Bool {
        subject.claims["client_id"] == .string(client.publicID)
            || client.openID.resources.contains { .string($0.identifier) == subject.claims["aud"] }
    }

    /// What the user granted and the API has; without `scope` all of it.
    private static func scopes(
        _ asked: String?, _ subject: TokenIssuer.Verified, _ resource: ProtectedResource
    ) throws(Rejection) -> Set<String> {
        let held = (subject.claims["scope"]?.string ?? "").words
        let possible = Set(held).intersection(resource.scopes.keys)
        guard let asked else { return possible }
        let wanted = Set(asked.words)
        try Rejection.requireScopes(wanted, among: possible)
        return wanted
    }

    /// The present actor outside, the earlier ones inside (§4.1).
    private static func actors(_ subject: TokenIssuer.Verified, _ client: Client) throws(Rejection) -> JSON {
        let first = subject.claims["client_id"]?.string ?? ""
        let earlier = subject.claims["act"] ?? ["sub": .string("client:\(first)")]
        let depth = sequence(first: earlier) { $0["act"] }.prefix(deepest).reduce(1) { count, _ in count + 1 }
        guard depth <= deepest else { throw .subjectTokenInvalid }
        return ["sub": .string(TokenIssuer.subject(of: client)), "act": earlier]
    }

    func record(
        _ facts: AccessTokenFacts, _ client: Client, _ detail: JSON, _ caller: Caller
    ) async throws(Rejection) {
        try await rejecting(logger) {
            _ = try await pool.execute(
                """
                insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
                values ('token_exchanged', 'done', \(facts.account), \(facts.session), \(client.id), \(caller.address),
                        \(caller.requestID), \(JSONText(detail.text)))
                """)
        }
    }
}

extension TokenIssuer {
    fileprivate func exchanged(
        _ facts: AccessTokenFacts, of client: Client, for target: ResourceTarget, _ actors: JSON, now: Date, life: Int
    ) throws -> String {
        var claims =
            facts.claims(
                issuer: issuer, clientID: client.publicID, tokenID: Base64URL.encode(RandomBytes.system(16)),
                for: target,
                issuedAt: now, life: life
            ).object ?? [:]
        claims["client_id"] = .string(client.publicID)
        claims["act"] = actors
        return try keys.signer(target.resource.algorithm, at: now).sign(.object(claims))
    }
}
