import Clients
import Foundation
import Sessions
import Vocabulary

/// The accompanying session: an unknown identity joins its account.
extension SignInService {
    /// The session that an identity may join: of the same client, with a recent proof at the first call.
    func proved(_ request: SignInRequest) async throws(Rejection) -> SessionSnapshot {
        switch request.accompanying {
        case .session(let id)?: return try await live(id, of: request.client)
        case .refused(let rejection)?: throw rejection
        case nil:
            guard let bearer = request.bearer else { throw .internalError }
            return try await proved(by: bearer, of: request.client)
        }
    }

    /// The accompanying session of a sign-in with further calls; nil for a request without access token.
    func accompanyingSession(of request: SignInRequest) async throws(Rejection) -> AccompanyingSession? {
        guard let bearer = request.bearer else { return nil }
        do throws(Rejection) {
            return .session(try await proved(by: bearer, of: request.client).facts.session)
        } catch {
            guard let accompanying = AccompanyingSession(refusal: error) else { throw error }
            return accompanying
        }
    }

    /// Whether the session may gain an identity: it has a recent proof, or its account is a guest's, which has none.
    func mayLink(_ session: SessionSnapshot) -> Bool {
        session.account.isGuest || session.isFresh(at: now())
    }

    private func proved(by bearer: PresentedToken, of client: Client) async throws(Rejection) -> SessionSnapshot {
        // Linking an identity is account management.
        let session = try await directory.check(bearer, for: .account, at: now())
        guard session.facts.clientID == client.id else { throw .tokenInvalid }
        guard client.audiences.contains(.account) else { throw .audienceNotAllowed }
        guard mayLink(session) else { throw .reauthRequired }
        return session
    }

    /// A session that was accepted at the first call, and may have ended since.
    private func live(_ id: UUID, of client: Client) async throws(Rejection) -> SessionSnapshot {
        guard let session = try await directory.session(id), session.facts.clientID == client.id else {
            throw .sessionEnded()
        }
        return session
    }
}
