import Foundation

/// The effects of the buttons.
extension SignInModel {
    func next(_ action: SignInScreen.Action) async throws -> SignInPlace {
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
}
