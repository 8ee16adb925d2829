public import Foundation

/// The logic of a sign-in screen: it holds the entries, sends them and decides the next screen.
///
/// ``SignInView`` draws it with SwiftUI. Another toolkit draws ``SignInModel/state`` and calls ``perform(_:)``.
@MainActor
public final class SignInModel {
    /// Everything to draw.
    public struct State: Sendable {
        /// The screen.
        public internal(set) var screen: SignInScreen
        /// The user's entries by field.
        public internal(set) var entries: [String: String] = [:]
        /// Whether this device skips the second factor from now on.
        public internal(set) var remembersDevice = false
        /// The error of the last attempt.
        public internal(set) var problem: ScreenProblem?
        /// Whether a request is under way: disable the buttons.
        public internal(set) var isWorking = false
        /// When another code can be sent.
        public internal(set) var resendAt: Date?
    }

    /// An error to show.
    public struct ScreenProblem: Sendable, Equatable {
        /// The sentence.
        public let text: String
        /// The field that it is about.
        public let field: String?
        /// Names the log lines of the server, for support.
        public let reference: String?
    }

    /// The current state; each change calls ``changed``.
    public private(set) var state: State { didSet { changed?(state) } }
    /// Called after each change.
    public var changed: ((State) -> Void)?
    /// The texts.
    public let texts: SignInTexts

    let client: GatewayClient
    private let options: SignInOptions
    private(set) var dialogues: Dialogues
    private let finished: @MainActor (Session) -> Void
    private(set) var place = SignInPlace.start

    /// A sign-in that has not begun.
    ///
    /// - Parameters:
    ///   - client: signs in and keeps the session.
    ///   - options: the ways to begin.
    ///   - dialogues: the parts outside this library.
    ///   - texts: translations.
    ///   - finished: called once, with the session.
    public init(
        client: GatewayClient, options: SignInOptions = SignInOptions(), dialogues: Dialogues = Dialogues(),
        texts: SignInTexts = SignInTexts(), finished: @escaping @MainActor (Session) -> Void
    ) {
        (self.client, self.options, self.dialogues) = (client, options, dialogues)
        (self.texts, self.finished) = (texts, finished)
        state = State(screen: SignInScreen(.start, options, dialogues))
    }

    /// Replaces the dialogues, such as when the window appears, and draws the screen again.
    public func use(_ dialogues: Dialogues) {
        self.dialogues = dialogues
        state.screen = SignInScreen(place, options, dialogues)
    }

    /// Changes an entry.
    public func enter(_ text: String, in field: String) { state.entries[field] = text }

    /// Chooses whether this device skips the second factor from now on.
    public func remember(_ remembers: Bool) { state.remembersDevice = remembers }

    /// Does what a button says; a second call during the first one does nothing.
    public func perform(_ action: SignInScreen.Action) async { await go { try await self.next(action) } }

    /// Asks for the second factor of a session, for a call that was refused with ``ErrorCode/stepUpRequired``.
    public func stepUp(_ session: Session) async { await go { Self.place(try await session.stepUp()) } }

    private func go(_ call: () async throws -> SignInPlace) async {
        guard !state.isWorking else { return }
        (state.isWorking, state.problem) = (true, nil)
        do {
            try await go(to: try await call())
        } catch {
            show(error)
        }
        state.isWorking = false
    }

    // MARK: Places

    /// A provider may be setting a new password: the gateway is asked again until it is done.
    private func go(to next: SignInPlace) async throws {
        var next = next
        while case .step(let step) = next, case .waitForPasswordReset(let waiting) = step {
            show(next)
            try await client.keeper.circumstances.time.wait(.seconds(waiting.retryAfter))
            next = Self.place(try await step.answer(.waited))
        }
        show(next)
    }

    /// Names and addresses stay; secrets and codes do not.
    private func show(_ next: SignInPlace) {
        place = next
        let kept = state.entries.filter { ["username", "display_name"].contains($0.key) }
        var new = state
        new.screen = SignInScreen(next, options, dialogues)
        new.entries = kept
        new.resendAt = step?.sentCode?.resendAfter.map {
            client.keeper.circumstances.time.now() + TimeInterval($0)
        }
        state = new
        if case .finished(let session) = next { finished(session) }
    }

    var step: Step? {
        switch place {
        case .step(let step), .recoveryCode(let step): step
        default: nil
        }
    }

    var link: LinkQuestion? { if case .linkAccount(let question) = step { question } else { nil } }

    static func place(_ result: SignInResult) -> SignInPlace {
        switch result {
        case .next(let step): return .step(step)
        case .signedIn(let session):
            let codes = session.signIn?.recoveryCodes ?? []
            return codes.isEmpty ? .finished(session) : .recoveryCodes(session, codes)
        }
    }

    // MARK: Errors

    /// A cancelled dialogue is no error; a flow that has ended leads back to the beginning.
    private func show(_ error: any Error) {
        guard let error = error as? GatewayError else { return }
        if case .cancelled = error { return }
        if [.flowExpired, .noSecondFactorLeft].contains(error.code) { show(SignInPlace.start) }
        state.problem = ScreenProblem(
            text: texts.problem(error), field: error.fieldName(in: state.screen), reference: error.problem?.requestID)
    }
}
