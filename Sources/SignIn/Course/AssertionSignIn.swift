package import Clients
import Cryptography
import Foundation
import JSON
import Postgres
import Providers
package import Sessions
package import Vocabulary

/// Signs an app in for a user by the assertion of a provider that the operator trusts with them
/// (ID-JAG: draft-ietf-oauth-identity-assertion-authz-grant §4.4, RFC 7523 §2.1).
///
/// It counts as a sign-in at that provider. But no user is there: what would need one, such as a second factor or a new account,
/// is refused. The session lasts as long as its access token, which is for one API.
package struct AssertionSignIn: Sendable {
    package static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// The name in our metadata (§7.2).
    package static let profile = "urn:ietf:params:oauth:grant-profile:id-jag"

    private let shared: FlowServices
    private let issuer: String
    private let providers: [any AssertsIdentities]

    /// - Parameter issuer: the public address.
    package init(_ shared: FlowServices, issuer: String) {
        (self.shared, self.issuer) = (shared, issuer)
        // With one of our own an app could widen what it got here (§8.3).
        providers = shared.tools.providers.all((any AssertsIdentities).self).filter {
            $0.isTrustedToAssert && !$0.realms.contains { $0.hasSameBytes(as: issuer) }
        }
    }

    /// Whether the operator trusts any provider.
    package var isOn: Bool { !providers.isEmpty }

    /// - Parameters:
    ///   - resource: the identifier of the API; nil for the only one of the assertion.
    ///   - scope: nil for all that is allowed.
    /// - Returns: the session. No caller gets its refresh token.
    /// - Throws: `assertionInvalid`, `targetInvalid`, `scopeInvalid`, `accountDisabled`.
    package func signIn(
        _ text: String, at resource: String?, scope: String?, by client: Client, caller: Caller
    ) async throws(Rejection) -> IssuedSession {
        let assertion = try await verified(text, client, caller)
        let target = try assertion.target(resource, scope: scope, of: client.id, among: shared.clients.resources)
        let identity = VerifiedIdentity(assertion.identity)
        var session = try shared.starter.request(
            for: SignInRequest(client: client, device: DeviceHint(unmarked: nil), caller: caller),
            provider: identity.provider, proofs: Proofs([identity.proof]),
            provedAt: assertion.identity.provedAt(shared.tools.now()))
        let life = target.resource.tokenLife ?? client.accessTokenLife
        session.profile = session.profile.lasting(life, life)
        session.resources = ResourceScopes([target.resource.identifier: Set(target.scopes)])
        let account = try await begin(session, identity, assertion.spending, target)
        guard case .tokens(let issued) = try await shared.starter.handed(session, account, nil, for: target) else {
            throw .internalError
        }
        return issued
    }

    private func verified(
        _ text: String, _ client: Client, _ caller: Caller
    ) async throws(Rejection) -> IdentityAssertion {
        guard let jwt = try? JWT(parsing: text) else { throw .assertionInvalid("token_malformed") }
        let named = jwt.claims["iss"]?.string ?? ""
        guard let provider = providers.first(where: { $0.realms.contains { $0.hasSameBytes(as: named) } }) else {
            throw .assertionInvalid("issuer_not_allowed")
        }
        // As every token that an app brings: administration needs a redirect that began here.
        guard client.allows(provider: provider.id.rawValue), !client.audiences.contains(.administration) else {
            throw .assertionInvalid("provider_not_allowed")
        }
        let assertion = try await verify(jwt, at: provider)
        guard assertion.client.hasSameBytes(as: client.publicID) else { throw .assertionInvalid("client_mismatch") }
        guard assertion.key == nil || assertion.key == caller.key else { throw .assertionInvalid("key_mismatch") }
        return assertion
    }

    private func verify(_ jwt: JWT, at provider: any AssertsIdentities) async throws(Rejection) -> IdentityAssertion {
        do throws(ProviderError) {
            return try await provider.verify(assertion: jwt, for: issuer, at: shared.tools.now())
        } catch {
            shared.logger.report(error, of: provider.id.rawValue)
            if case .refused(let refusal) = error { throw .assertionInvalid(refusal.rawValue) }
            throw Rejection(error)
        }
    }

    /// Spends the assertion and makes the session, in one statement.
    private func begin(
        _ session: SessionRequest, _ identity: VerifiedIdentity, _ spending: [Spending], _ target: ResourceTarget
    ) async throws(Rejection) -> AccountSummary {
        let detail: JSON = [
            "resource": .string(target.resource.identifier), "scopes": .array(target.scopes.map(JSON.string)),
        ]
        let statement: SQL = """
            select outcome, account_id, display_name, email, email_proved, account_created
              from sign_in_by_assertion(\(identity.provider), \(identity.realm), \(identity.subject), \(spending), \(session),
                                        \(gate: session), \(JSONText(detail.text)))
            """
        let account: AccountSummary? = try await rejecting(shared.logger) {
            try await shared.pool.spending(spending, refused: { _ in nil }) {
                try await shared.pool.queryOne(statement) { row in
                    guard let row else { throw Rejection.internalError }
                    switch try row.answer(as: AssertionWord.self) {
                    case .signedIn: return try AccountSummary(try row.value(1), row, from: 2)
                    case .unknownIdentity: throw Rejection.assertionInvalid("identity_unknown")
                    case .stepDue: throw Rejection.assertionInvalid("step_due")
                    }
                }
            }
        }
        guard let account else { throw .assertionInvalid("token_replayed") }
        return account
    }
}

extension IdentityAssertion {
    fileprivate var spending: [Spending] {
        [Spending(kind: .credential, digest: identity.replayDigest, end: identity.replayEnd)]
    }

    /// The API that the access token is for, with the scopes that both the provider and the API allow.
    ///
    /// `*` admits apps that ask users. Here nobody is asked, so the API must list the client by its id.
    ///
    /// - Throws: `targetInvalid`, `scopeInvalid`.
    func target(
        _ asked: String?, scope: String?, of client: String, among catalogue: ResourceCatalogue
    ) throws(Rejection) -> ResourceTarget {
        let known = resources.compactMap { catalogue[$0] }
        let only = resources.count == 1 ? known.first : nil
        guard let resource = asked.map({ catalogue[$0] }) ?? only, known.contains(resource),
            resource.clients.contains(client)
        else { throw .targetInvalid(asked.map(SentText.init)) }
        let possible = scopes.intersection(resource.scopes.keys)
        let wanted = scope.map { Set($0.words) } ?? possible
        try Rejection.requireScopes(wanted, among: possible)
        return ResourceTarget(resource, scopes: wanted)
    }
}

/// The outcomes of `sign_in_by_assertion`.
enum AssertionWord: String, OutcomeWord {
    static let functions = ["sign_in_by_assertion"]

    case signedIn = "signed_in"
    case unknownIdentity = "unknown_identity"
    case stepDue = "step_due"
}
