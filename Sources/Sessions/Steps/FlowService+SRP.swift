import Accounts
import Cryptography
import Foundation
import JSON
import Postgres

/// Sign-ins that prove a password by SRP.
extension FlowService {
    /// Answers the client's value with the server's.
    ///
    /// Unknown names, and passwords without a verifier of the realm, get invented values that stay the same.
    func beginSRP(
        _ typed: String, _ clientValue: String, _ request: SignInRequest
    ) async throws(Rejection) -> PendingStep {
        guard request.client.allows(provider: PasswordSignInService.provider), let realm = request.client.srpRealm
        else {
            throw .providerNotAllowed
        }
        guard let name = SignInName(typed) else { throw .invalidField(.username, .notASignInName) }
        guard SRPServer.accepts(clientValue: clientValue) else { throw .invalidCredentials() }
        let found = try await rejecting(logger) { try await store.passwordHolder(of: name, request.client) }
        let opened = found.flatMap { open($0, realm) } ?? decoy(name, realm)
        let hasher = tools.hasher
        let server = try await rejecting(logger) {
            let place = try await hasher.place(for: request.caller.network)
            return try await hasher.compute(in: place) { SRPServer(opened.verifier) }
        }
        let step = SRPStep(
            holder: opened.holder, user: opened.user.text, realm: realm, clientValue: clientValue, server: server)
        return try await begin(
            step, name, provider: PasswordSignInService.provider, action: "sign_in_started", request)
    }

    private typealias Opened = (holder: SRPStep.Holder, user: UUID, verifier: SRPVerifier)

    /// Nil for a verifier of another realm, or one sealed with a removed key.
    private func open(_ found: FlowStore.PasswordHolder, _ realm: String) -> Opened? {
        guard found.srp.realm == realm, let verifier = try? found.srp.opened(tools.box) else { return nil }
        return (found.holder, found.srp.user, verifier)
    }

    /// The same values for the same name and realm (RFC 5054 §2.5.1.3).
    private func decoy(_ name: SignInName, _ realm: String) -> Opened {
        func digest(_ purpose: String) -> [UInt8] {
            HMACSHA256.code(
                Array("srp \(purpose)\u{0}\(realm)\u{0}\(name.kind.rawValue)\u{0}\(name.key)".utf8), key: tools.codeKey)
        }
        let seed = digest("seed") + digest("verifier")
        return (.nobody, UUID.decoy(digest("user")), SRPVerifier(decoy: seed))
    }
}

extension Client {
    /// The realm of its users' SRP verifiers; nil where its dialects need none.
    var srpRealm: String? { dialects.cognito?.realm }
}

extension UUID {
    /// An invented version 4 (RFC 9562 §5.4), the same for the same digest.
    fileprivate static func decoy(_ digest: [UInt8]) -> UUID {
        var bytes = Array(digest.prefix(16))
        (bytes[6], bytes[8]) = (bytes[6] & 0x0F | 0x40, bytes[8] & 0x3F | 0x80)
        return UUID(bytes: bytes)
    }
}

extension FlowStore {
    /// A password with its SRP verifier, and the owner of both.
    struct PasswordHolder: Sendable {
        let holder: SRPStep.Holder
        let srp: SealedSRPVerifier
    }

    /// The active account of a name, or the sign-up of this client with the name that waits for its code.
    func passwordHolder(of name: SignInName, _ client: Client) async throws -> PasswordHolder? {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select a.id, w.hash, to_jsonb(w.srp)::text, f.id, (f.state->'password')::text
                  from (values (account_to_sign_in(\(name.kind.rawValue), \(name.key)))) named (account)
                  left join accounts a on a.id = named.account and a.status = 'active' and a.password_state <> 'reset_required'
                  left join passwords w on w.account_id = a.id
                  left join lateral (
                      select id, state from flows
                       where kind = 'sign_up' and address_key = \(name.key) and client_id = \(client.id) and expires_at > now()
                         and named.account is null
                       order by created_at desc limit 1) f on true
                """)
            return try row.flatMap(Self.passwordHolder)
        }
    }

    private static func passwordHolder(_ row: Row) throws -> PasswordHolder? {
        if let account = try row.value(0, as: UUID?.self), let hash = try row.value(1, as: String?.self),
            let srp = try row.value(2, as: String?.self).flatMap({ SealedSRPVerifier(try JSON(parsing: $0)) })
        {
            return PasswordHolder(holder: .account(account, hash: hash), srp: srp)
        }
        guard let flow = try row.value(3, as: UUID?.self), let text = try row.value(4, as: String?.self),
            let srp = PasswordVerifiers(try JSON(parsing: text))?.srp
        else { return nil }
        return PasswordHolder(holder: .signUp(flow), srp: srp)
    }
}
