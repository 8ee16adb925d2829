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

    private let client: GatewayClient
    private let options: SignInOptions
    private var dialogues: Dialogues
    private let finished: @MainActor (Session) -> Void
    private var place = SignInPlace.start

    /// A sign-in that has not begun.
    ///
    /// - Parameter finished: called once, with the session.
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
    public func perform(_ action: SignInScreen.Action) async {
        guard !state.isWorking else { return }
        (state.isWorking, state.problem) = (true, nil)
        do {
            try await go(to: try await next(action))
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

    private var step: Step? {
        switch place {
        case .step(let step), .recoveryCode(let step): step
        default: nil
        }
    }

    private var link: LinkQuestion? { if case .linkAccount(let question) = step { question } else { nil } }

    private static func place(_ result: SignInResult) -> SignInPlace {
        switch result {
        case .next(let step): return .step(step)
        case .signedIn(let session):
            let codes = session.signIn?.recoveryCodes ?? []
            return codes.isEmpty ? .finished(session) : .recoveryCodes(session, codes)
        }
    }

    // MARK: Actions

    private func next(_ action: SignInScreen.Action) async throws -> SignInPlace {
        switch action {
        case .submit: return try await submitted()
        case .factor(let option):
            // A passkey's dialogue may open at once: its step follows from the choice.
            return Self.place(try await current().answer(.factor(option)))
        case .recoveryCode: return .recoveryCode(try current())
        case .resend: return .step(try await current().resend())
        case .separateAccount: return Self.place(try await current().answer(.createAccount))
        case .passkey: return Self.place(try await withPasskey())
        case .apple: return Self.place(try await withApple())
        case .provider(let id): return .finished(try await inBrowser(page: .provider(id)))
        case .browser: return .finished(try await inBrowser(page: .signIn))
        case .signUp: return .signUp
        case .forgotPassword: return .forgotPassword
        case .startAgain: return .start
        }
    }

    private func submitted() async throws -> SignInPlace {
        switch place {
        case .start, .step(.linkAccount):
            return Self.place(try await client.signIn(startCredential, linking: link))
        case .signUp: return Self.place(try await client.signUp(signUpForm))
        case .forgotPassword: return Self.place(try await client.forgotPassword(username: entry("username")))
        case .step(let step):
            let answer = try StepEntries(entries: state.entries).answer(to: step)
            return Self.place(try await step.answer(answer, rememberDevice: remembers))
        case .recoveryCode(let step):
            return Self.place(try await step.answer(.recoveryCode(entry("recovery_code"))))
        case .recoveryCodes(let session, _), .finished(let session): return .finished(session)
        }
    }

    private var remembers: Bool { state.remembersDevice && state.screen.offersToRemember }

    private func current() throws -> Step {
        guard let step else { throw GatewayError.unanswerable("There is no question to answer.") }
        return step
    }

    private func entry(_ field: String) -> String { state.entries[field] ?? "" }

    private var startCredential: Credential {
        let name = entry("username").trimmingCharacters(in: .whitespaces)
        let password = entry("password")
        return password.isEmpty ? .username(name) : .password(username: name, password: password)
    }

    private var signUpForm: SignUpForm {
        SignUpForm(
            username: entry("username").trimmingCharacters(in: .whitespaces),
            password: entry("password").isEmpty ? nil : entry("password"),
            displayName: entry("display_name").isEmpty ? nil : entry("display_name"))
    }

    // MARK: Dialogues

    private func withPasskey() async throws -> SignInResult {
        guard let passkeys = dialogues.passkeys else { throw GatewayError.cancelled }
        if let step, link == nil { return try await step.answer(with: passkeys) }
        let begun = try await client.signIn(.passkey, linking: link)
        guard case .next(let step) = begun else { return begun }
        return try await step.answer(with: passkeys)
    }

    private func withApple() async throws -> SignInResult {
        guard let apple = dialogues.apple else { throw GatewayError.cancelled }
        let credential = try await apple.appleCredential(nonce: try await client.nonce())
        return try await client.signIn(credential, linking: link)
    }

    private func inBrowser(page: HostedPage) async throws -> Session {
        guard let browser = dialogues.browser else { throw GatewayError.cancelled }
        let signIn = try browserSignIn(page, browser)
        return try await signIn.finish(try await browser.opener.open(signIn))
    }

    private func browserSignIn(_ page: HostedPage, _ browser: Dialogues.Browser) throws -> BrowserSignIn {
        if case .continueInBrowser(let visit) = step {
            return try client.browserSignIn(
                continuing: visit, redirectURI: browser.redirectURI, hasher: browser.hasher)
        }
        return try client.browserSignIn(redirectURI: browser.redirectURI, page: page, hasher: browser.hasher)
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
