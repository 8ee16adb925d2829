import Foundation
public import GatewayClient

/// The logic of the sample: it decides the screen and calls the gateway.
///
/// The views only draw ``state``.
@MainActor
public final class SampleModel {
    /// The current state; each change calls ``changed``.
    public private(set) var state = State() { didSet { changed?(state) } }
    /// Called after each change.
    public var changed: ((State) -> Void)?
    /// The session of the signed-in user.
    public private(set) var session: Session?

    private let client: GatewayClient
    /// The action that waits for a recent proof.
    private var pending: Action?
    private var following: Task<Void, Never>?

    /// A sample that has not started.
    public init(client: GatewayClient) { self.client = client }

    /// Shows the account of the stored session, or the sign-in.
    public func start() async {
        do {
            if let stored = try await client.session() { await signedIn(stored) } else { leave() }
        } catch {
            leave(nil, error.localizedDescription)
        }
    }

    /// Takes the session of a finished sign-in, and continues the action that waited for it.
    public func signedIn(_ new: Session) async {
        let action = pending
        let isAnotherAccount = session.map { $0.account.id != new.account.id } ?? false
        (session, pending, state) = (new, nil, State(screen: .account))
        follow(new)
        // The user confirmed the action for the first account only.
        await perform(isAnotherAccount ? .load : action ?? .load)
        if isAnotherAccount, state.screen == .account {
            state.message = "This is another account. Nothing was changed."
        }
    }

    /// Returns from a repeated sign-in to the account, without the action.
    public func cancel() { (pending, state.screen, state.message) = (nil, .account, nil) }

    /// Does what a button of the account says; a second call during the first one does nothing.
    public func perform(_ action: Action) async {
        guard let session, !state.isWorking else { return }
        (state.isWorking, state.message) = (true, nil)
        do {
            try await apply(action, to: session)
        } catch {
            if self.session === session { show(error, of: action) }
        }
        state.isWorking = false
    }

    private func apply(_ action: Action, to session: Session) async throws {
        switch action {
        case .load: break
        case .end(let other): try await session.end(other)
        case .keepAccount: try await session.cancelDeletion()
        case .addPasskey(let device): state.recoveryCodes = try await addPasskey(to: session, by: device)
        case .signOut:
            // Without a connection it forgets the tokens too.
            try? await session.signOut()
            return leave(session)
        case .deleteAccount: return leave(session, Self.farewell(try await session.deleteAccount()))
        }
        let (profile, sessions) = (try await session.profile(), try await session.sessions())
        if self.session === session { (state.profile, state.sessions) = (profile, sessions) }
    }

    private func addPasskey(to session: Session, by device: any PasskeyAuthenticator) async throws -> [String] {
        let enrolment = try await session.addFactor(.passkey)
        guard case .passkey(let options) = enrolment.question else { return [] }
        let answer = try await device.registration(for: options)
        return try await enrolment.confirm(passkey: answer, name: "Sample app").recoveryCodes ?? []
    }

    /// An end of the session is shown by ``follow(_:)``.
    private func show(_ error: any Error, of action: Action) {
        guard let error = error as? GatewayError else { return }
        switch (error, error.code) {
        case (.cancelled, _), (.sessionEnded, _): break
        case (_, .reauthRequired):
            (pending, state.screen, state.message) = (action, .signInAgain, "Sign in again to confirm this.")
        case (_, .stepUpRequired):
            (pending, state.screen, state.message) = (action, .stepUp, "Prove your second factor to confirm this.")
        default: state.message = error.localizedDescription
        }
    }

    private func follow(_ session: Session) {
        following?.cancel()
        following = Task { [weak self] in
            for await change in session.states {
                if case .signedIn = change { continue }
                if self?.session === session { self?.leave(session, change.farewell) }
            }
        }
    }

    /// The user may have signed in again meanwhile.
    private func leave(_ ended: Session? = nil, _ message: String? = nil) {
        guard session == nil || session === ended else { return }
        following?.cancel()
        (session, pending, state) = (nil, nil, State(screen: .signIn, message: message))
    }
}
