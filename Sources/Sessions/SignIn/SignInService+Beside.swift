import Accounts
import Foundation

/// The session that an unknown identity joins, where somebody signed in asks.
extension SignInService {
    /// The session that an identity may join: of this app, and proved a short while before it was first shown.
    func proved(_ request: SignInRequest) async throws(Rejection) -> SessionSnapshot {
        switch request.beside {
        case .session(let id)?: return try await live(id, of: request.client)
        case .refused(let rejection)?: throw rejection
        case nil:
            guard let bearer = request.bearer else { throw .internalError }
            return try await proved(by: bearer, of: request.client)
        }
    }

    /// What the access token beside the first call of a sign-in will be worth at its last; nil where there is none.
    func beside(_ request: SignInRequest) async throws(Rejection) -> SessionBeside? {
        guard let bearer = request.bearer else { return nil }
        do throws(Rejection) {
            return .session(try await proved(by: bearer, of: request.client).facts.session)
        } catch {
            guard let beside = SessionBeside(refusal: error) else { throw error }
            return beside
        }
    }

    /// Whether a session was proved so short a while ago that it may gain an identity.
    func isFresh(_ session: SessionSnapshot) -> Bool {
        now().timeIntervalSince(session.facts.authTime) < RecentProof.interval
    }

    private func proved(by bearer: String, of client: Client) async throws(Rejection) -> SessionSnapshot {
        // An identity joins the account: that is account management.
        let session = try await directory.check(bearer, for: .account, at: now())
        guard session.facts.clientID == client.id else { throw .tokenInvalid }
        guard client.audiences.contains(.account) else { throw .audienceNotAllowed }
        guard isFresh(session) else { throw .reauthRequired }
        return session
    }

    /// A session that was found good at the first call, and may have ended since.
    private func live(_ id: UUID, of client: Client) async throws(Rejection) -> SessionSnapshot {
        guard let session = try await directory.session(id), session.facts.clientID == client.id else {
            throw .sessionEnded
        }
        return session
    }
}
