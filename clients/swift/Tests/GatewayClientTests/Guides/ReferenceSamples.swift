import Foundation

@testable import GatewayClient

/// The samples of the API reference, compiled here: the body of a function shows the call of its name.
///
/// The name is the `operationId` of docs/openapi.yaml. A call without a function is shown with URLSession.
enum ReferenceSamples {
    // MARK: Signing in

    static func issueNonce(_ client: GatewayClient) async throws {
        let nonce = try await client.nonce()
        print("for the provider's SDK:", nonce.raw)
    }

    static func signIn(_ client: GatewayClient) async throws {
        let credential = Credential.password(username: "ann@example.com", password: "correct horse battery")
        switch try await client.signIn(credential) {
        case .signedIn(let session): print("signed in:", session.account.id)
        case .next(let step): print("next:", step)
        }
    }

    static func continueSignIn(_ step: Step) async throws {
        switch try await step.answer(.code("197734"), rememberDevice: true) {
        case .signedIn(let session): print("signed in:", session.account.id)
        case .next(let step): print("next:", step)
        }
    }

    static func resendSignInCode(_ step: Step) async throws {
        let again = try await step.resend()
        print("next:", again)
    }

    static func forgotPassword(_ client: GatewayClient) async throws {
        let result = try await client.forgotPassword(username: "ann@example.com")
        if case .next(let step) = result { print("next:", step) }
    }

    static func resetPassword(_ step: Step) async throws {
        let result = try await step.answer(.reset(code: "197734", newPassword: "grey heron over the weir"))
        if case .signedIn(let session) = result { print("signed in:", session.account.id) }
    }

    static func beginSignUp(_ client: GatewayClient) async throws {
        let form = SignUpForm(
            username: "ann@example.com", password: "correct horse battery", displayName: "Ann Example")
        let result = try await client.signUp(form)
        if case .next(let step) = result { print("next:", step) }
    }

    static func confirmSignUp(_ step: Step) async throws {
        let result = try await step.answer(.code("197734"))
        if case .signedIn(let session) = result { print("signed in:", session.account.id) }
    }

    static func resendSignUpCode(_ step: Step) async throws {
        let again = try await step.resend()
        print("next:", again)
    }

    // MARK: Sessions

    static func token(_ client: GatewayClient, _ hasher: some SHA256Hashing, _ callback: URL) async throws {
        let signIn = try client.browserSignIn(redirectURI: "com.example.app:/back", hasher: hasher)
        print("open in the system's browser:", signIn.url)
        let session = try await signIn.finish(callback)
        print("signed in:", session.account.id)
    }

    static func refreshSession(_ session: Session) async throws {
        // Refreshes when the token is about to expire.
        let token = try await session.accessToken()
        print(token)
    }

    static func signOut(_ session: Session) async throws {
        try await session.signOut(everywhere: false)
    }

    static func currentSession(_ session: Session) async throws {
        let (current, account) = try await session.current()
        print(account.id, current.authTime)
    }

    static func stepUp(_ session: Session) async throws {
        switch try await session.stepUp() {
        case .signedIn(let session): print("proved again:", session.id)
        case .next(let step): print("next:", step)
        }
    }
}
