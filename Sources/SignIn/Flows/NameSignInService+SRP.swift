import Accounts
import Clients
import Cryptography
import Foundation
import JSON
import Postgres
import Sessions
import Vocabulary

/// Sign-ins that prove a password by SRP.
extension NameSignInService {
    /// Answers the client's value with the server's.
    ///
    /// User id and salt are those of the name, with or without an account. A name without a verifier gets an invented
    /// one. A sign-up that waits for its code has none either: its author would learn whether the name has an account.
    ///
    /// The network is charged before the exponentiation.
    func beginSRP(
        _ typed: String, _ clientValue: String, _ request: SignInRequest
    ) async throws(Rejection) -> PendingStep {
        guard request.client.allows(provider: PasswordSignInService.provider), let realm = request.client.srpRealm,
            let names = shared.tools.names
        else {
            throw .providerNotAllowed()
        }
        guard let name = SignInName(typed) else { throw .invalidField(.username, .notASignInName) }
        guard SRPServer.accepts(clientValue: clientValue) else { throw .invalidCredentials() }
        guard let user = try await names.user(name, in: realm) else { throw .internalError }
        let price = shared.throttles.start(address: request.caller.address)
        let (wait, found) = try await rejecting(shared.logger) {
            try await shared.store.passwordHolder(of: name, user, realm, price)
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        let opened = found.flatMap { try? $0.srp.opened(shared.tools.box, account: $0.holder.account, salt: user.salt) }
        let hasher = shared.tools.hasher
        let server = try await rejecting(shared.logger) {
            let place = try await hasher.place(for: request.caller.network)
            return try await hasher.compute(in: place) { SRPServer(opened ?? SRPVerifier(decoyWith: user.salt)) }
        }
        let step = SRPStep(
            holder: opened == nil ? nil : found?.holder, user: user.id.text, realm: realm, clientValue: clientValue,
            server: server)
        return try await begin(
            step, name, provider: PasswordSignInService.provider, action: "sign_in_started", isCharged: true, request)
    }
}

extension FlowStore {
    /// A password with the SRP verifier of a name, and its owner.
    struct PasswordHolder: Sendable {
        let holder: SRPStep.Holder
        let srp: SealedSRPVerifier
    }

    /// The password of the active account that has a name, if the name has a verifier of it; and the wait of the network,
    /// which is charged first.
    func passwordHolder(
        of name: SignInName, _ user: SRPUser, _ realm: String, _ price: [Throttle]
    ) async throws -> (wait: Double, holder: PasswordHolder?) {
        try await pool.withConnection { connection in
            let row = try connection.row(
                """
                select charged.wait, v.account_id, v.hash, v.group_id, v.sealed
                  from (values (take_from_throttles(\(price)))) charged (wait)
                  left join (accounts a
                             join passwords w on w.account_id = a.id
                             join srp_verifiers v on v.account_id = a.id and v.hash = w.hash and v.user_id = \(user.id) and v.realm = \(realm))
                    on charged.wait <= 0 and a.id = account_to_sign_in(\(name.kind.rawValue), \(name.key))
                   and a.status = 'active' and a.password_state <> 'reset_required'
                """)
            return (try row.value(0), try Self.passwordHolder(row, user, realm))
        }
    }

    private static func passwordHolder(_ row: Row, _ user: SRPUser, _ realm: String) throws -> PasswordHolder? {
        guard let account = try row.value(1, as: UUID?.self),
            let group = SealedSRPVerifier.Group(rawValue: try row.value(3))
        else { return nil }
        return PasswordHolder(
            holder: SRPStep.Holder(account: account, hash: try row.value(2)),
            srp: SealedSRPVerifier(user: user.id, realm: realm, group: group, sealed: try row.value(4)))
    }
}
