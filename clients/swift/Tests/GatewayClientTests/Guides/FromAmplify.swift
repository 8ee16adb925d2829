import Foundation
import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code of `docs/start/from-amplify.md`: each part between two `page` lines is a block of that page.
@MainActor
final class FromAmplify {
    let client: GatewayClient
    var session: Session?
    var step: Step?
    var message = ""

    init(client: GatewayClient) { self.client = client }

    // page: sign in
    func signIn(name: String, password: String) async throws {
        show(try await client.signIn(.password(username: name, password: password)))
    }

    func show(_ result: SignInResult) {
        switch result {
        case .signedIn(let session): (self.session, step) = (session, nil)
        case .next(let step): self.step = step
        }
    }
    // page end

    // page: confirm
    func confirmSignIn(challengeResponse text: String) async throws {
        guard let step else { return }
        show(try await step.answer(try answer(to: step, text)))
    }

    func answer(to step: Step, _ text: String) throws -> StepAnswer {
        switch step {
        case .password: return .password(text)
        case .code, .confirmSignUp, .authenticatorCode, .setUpAuthenticator: return .code(text)
        case .newPassword: return .newPassword(text)
        case .challenge(let question): return question.asksForRecoveryCode ? .recoveryCode(text) : .challenge(text)
        case .setUpEmail: return .email(text)
        case .setUpPhone: return .phone(text)
        case .chooseFirstFactor(let choice), .chooseSecondFactor(let choice), .chooseFactorToSetUp(let choice):
            guard let option = choice.options.first(where: { $0.id == text }) else { break }
            return .factor(option)
        default: break
        }
        throw GatewayError.unanswerable("This step needs more than a text.")
    }
    // page end

    // page: sign up and reset
    func signUp(name: String, password: String) async throws {
        show(try await client.signUp(SignUpForm(username: name, password: password)))
    }

    func resendSignUpCode() async throws { step = try await step?.resend() }

    func resetPassword(name: String) async throws {
        show(try await client.forgotPassword(username: name))
    }

    func confirmResetPassword(code: String, newPassword: String) async throws {
        guard let step else { return }
        show(try await step.answer(.reset(code: code, newPassword: newPassword)))
    }
    // page end

    // page: states
    func start() async throws { session = try await client.session() }

    func follow() async {
        for await state in client.states {
            switch state {
            case .signedIn(let session): self.session = session
            case .signedOut: session = nil
            case .ended, .consentWithdrawn: (session, message) = (nil, "Sign in again.")
            }
        }
    }
    // page end

    // page: requests
    func orders(at address: URL) async throws -> Data? {
        try await session?.data(for: URLRequest(url: address)).0
    }
    // page end

    // page: factors
    func setUpTOTP(_ session: Session) async throws -> FactorEnrolment {
        try await session.addFactor(.authenticatorApp)
    }

    func verifyTOTPSetup(_ enrolment: FactorEnrolment, code: String) async throws -> [String] {
        try await enrolment.confirm(code: code).recoveryCodes ?? []
    }
    // page end

    // page: errors
    func text(for error: GatewayError) -> String {
        switch error.code {
        case .invalidCredentials: "Name or password is wrong."
        case .codeWrong, .codeExpired: "That is not the latest code."
        case .throttled: "Try again in \(error.retryAfter ?? 60) seconds."
        default: error.localizedDescription
        }
    }
    // page end
}
