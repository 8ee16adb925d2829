import Clients
import Foundation
import Postgres
import Sessions
import Vocabulary

/// The session with which a guest goes on after its upgrade, because the guest's own session ends (`sign_in/end_guest.sql`).
extension SessionStarter {
    /// Nil for a session that is no guest's: it lives on.
    ///
    /// - Parameters:
    ///   - provider: the new sign-in method.
    ///   - proofs: the proof of that method.
    func renewal(
        of session: SessionSnapshot, at client: Client, provider: String, proofs: Proofs, caller: Caller
    ) throws(Rejection) -> SessionRequest? {
        guard session.account.isGuest else { return nil }
        let device = DeviceHint(name: session.deviceName)
        return try request(
            for: SignInRequest(client: client, device: device, caller: caller), provider: provider, proofs: proofs)
    }

    /// The tokens of the renewed session.
    ///
    /// - Parameter email: the proved address that upgraded the account.
    func issued(
        _ session: SessionRequest, for guest: AccountSummary, email: String? = nil
    ) async throws(Rejection) -> IssuedSession? {
        let account = AccountSummary(
            id: guest.id, displayName: guest.displayName, email: email ?? guest.email,
            emailVerified: email != nil || guest.emailVerified, createdAt: guest.createdAt)
        guard case .tokens(let issued) = try await handed(session, account, nil) else { return nil }
        return issued
    }
}

extension SQL.StringInterpolation {
    /// Binds a renewal and its gate, or nulls.
    mutating func appendInterpolation(renewing request: SessionRequest?) {
        guard let request else { return appendLiteral("null, null") }
        appendInterpolation(request)
        appendLiteral(", ")
        appendInterpolation(gate: request)
    }
}
