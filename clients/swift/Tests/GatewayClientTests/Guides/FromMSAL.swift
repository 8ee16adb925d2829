import Foundation
import GatewayClient

/// The code of `docs/start/from-msal.md`: each part between two `page` lines is a block of that page.
@MainActor
final class FromMSAL {
    enum Screen {
        case home(Session)
        case code(sentTo: String?, length: Int?)
        case password, newPassword, codeAndNewPassword, address, phone, browser, other
        case methods([FactorOption])
        case attributes([String])
    }

    let client: GatewayClient
    var step: Step?

    init(client: GatewayClient) { self.client = client }

    // page: sign in
    func signIn(username: String, password: String?) async throws -> Screen {
        screen(for: try await client.signIn(.microsoft(username: username, password: password)))
    }

    func submitCode(_ code: String) async throws -> Screen? { try await submit(.code(code)) }

    func submitPassword(_ password: String) async throws -> Screen? { try await submit(.password(password)) }

    func submitAttributes(_ values: [String: String]) async throws -> Screen? { try await submit(.attributes(values)) }

    func submit(_ answer: StepAnswer) async throws -> Screen? {
        guard let step else { return nil }
        return screen(for: try await step.answer(answer))
    }

    func resendCode() async throws { step = try await step?.resend() }
    // page end

    // page: delegates
    func screen(for result: SignInResult) -> Screen {
        switch result {
        case .signedIn(let session):  // onSignInCompleted
            step = nil
            return .home(session)
        case .next(let step):
            self.step = step
            return screen(for: step)
        }
    }

    func screen(for step: Step) -> Screen {
        switch step {
        case .code(let question), .confirmSignUp(let question):  // onSignInCodeRequired, onSignUpCodeRequired
            .code(sentTo: question.delivery?.destination, length: question.delivery?.codeLength)
        case .password: .password  // onSignInPasswordRequired
        case .newPassword: .newPassword  // onSignUpPasswordRequired, onPasswordRequired
        case .attributes(let question): .attributes(question.names)  // onSignUpAttributesRequired
        case .resetPassword: .codeAndNewPassword  // onResetPasswordCodeRequired
        case .chooseSecondFactor(let choice): .methods(choice.options)  // onSignInAwaitingMFA
        case .chooseFactorToSetUp(let choice): .methods(choice.options)  // onSignInStrongAuthMethodRegistration
        case .setUpEmail: .address
        case .setUpPhone: .phone
        case .continueInBrowser: .browser  // isBrowserRequired
        default: .other
        }
    }
    // page end

    // page: reset
    func resetPassword(username: String) async throws -> Screen? {
        let screen = try await signIn(username: username, password: nil)
        guard case .password = step else { return screen }
        return try await submit(.forgotPassword)
    }

    func submit(code: String, newPassword: String) async throws -> Screen? {
        var screen = try await submit(.reset(code: code, newPassword: newPassword))
        while case .waitForPasswordReset(let waiting) = step {
            try await Task.sleep(for: .seconds(waiting.retryAfter))
            screen = try await submit(.waited)
        }
        return screen
    }
    // page end

    // page: browser
    func goOn(_ visit: BrowserVisit, hasher: some SHA256Hashing, open: (URL) async throws -> URL) async throws
        -> Session
    {
        let signIn = try client.browserSignIn(
            continuing: visit, redirectURI: "com.example.app:/signed-in", hasher: hasher)
        return try await signIn.finish(try await open(signIn.url))
    }
    // page end

    // page: account
    func accessToken() async throws -> String? {
        try await client.session()?.accessToken()
    }

    func signOut() async throws {
        try await client.session()?.signOut()
    }
    // page end

    // page: errors
    func text(for error: GatewayError) -> String {
        switch error.code {
        case .invalidCredentials: "Name or password is wrong."
        case .codeWrong, .codeExpired: "That is not the latest code."
        case .passwordRejected: "Choose another password."
        case .attributesRejected: "Correct: \(error.problem?.fields.map(\.pointer).joined(separator: ", ") ?? "")"
        default: error.localizedDescription
        }
    }
    // page end
}
