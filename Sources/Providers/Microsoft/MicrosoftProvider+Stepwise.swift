package import Cryptography
import FoundationEssentials
package import JSON

extension MicrosoftProvider: StepwiseSignIn {
    package var canSignInStepwise: Bool { native != nil }

    package func begin(
        username: String, password: Secret?, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer {
        let conversation = try conversation(context)
        let address = try MicrosoftInput.address(username)
        if let password { try MicrosoftInput.check(password: password) }
        return try await conversation.start(address, password)
    }

    package func answer(
        _ response: StepwiseResponse, to state: JSON, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer {
        let conversation = try conversation(context)
        guard let flow = conversation.flow(state) else { return .ended(.expired) }
        return try await conversation.answer(response, in: flow)
    }

    package func resend(_ state: JSON, context: StepwiseContext) async throws(ProviderError) -> StepwiseAnswer {
        let conversation = try conversation(context)
        guard let flow = conversation.flow(state) else { return .ended(.expired) }
        return try await conversation.resend(flow)
    }

    private func conversation(_ context: StepwiseContext) throws(ProviderError) -> MicrosoftConversation {
        guard let native else { throw .misconfigured(reason: "username_sign_in_off") }
        return MicrosoftConversation(
            provider: self, native: native, context: context, deadline: upstream.deadline(), begun: upstream.now())
    }

    /// Checks the ID token of a native sign-in like that of a code, but without a nonce: no native flow has one.
    func identity(
        of jwt: JWT, beside accessToken: String?, from native: NativeTenant, at now: Date
    ) async throws(ProviderError) -> ExternalIdentity {
        guard jwt.claims["tid"]?.string?.hasSameBytes(as: native.tenant.id) == true else {
            throw .refused(.tenantNotAllowed)
        }
        guard !Self.isAccessToken(jwt.claims) else { throw .refused(.wrongTokenType) }
        let bought = TokenEndpoint.Answer(
            accessToken: accessToken.map { Secret($0) }, refreshToken: nil, idToken: nil)
        let token = try await native.verifier.verify(
            jwt, boughtWith: bought, by: native.api.clientID, nonce: nil, at: now)
        return try identity(
            from: token, of: native.tenant, digest: token.signedDigest, end: token.replayEnd)
    }
}

/// Checks typed values against the API's limits, so that no request is sent only to be refused.
enum MicrosoftInput {
    /// External tenants identify their users by address.
    static func address(_ username: String) throws(ProviderError) -> String {
        guard let email = ExternalEmail(address: username, authority: .unverified) else {
            throw .invalidRequest(member: "username", reason: username.isEmpty ? "missing" : "malformed")
        }
        return email.address
    }

    static func check(password: Secret) throws(ProviderError) {
        guard !password.isEmpty else { throw .invalidRequest(member: "password", reason: "missing") }
        guard password.revealed.count <= 1_024 else { throw .invalidRequest(member: "password", reason: "malformed") }
    }

    /// The fault of a new password before any rule of the tenant; nil for none.
    static func fault(of password: Secret) -> PasswordFault? {
        switch password.revealedText.unicodeScalars.count {
        case ..<8: .tooShort
        case 257...: .tooLong
        default: nil
        }
    }

    /// Codes are digits in practice; any other text counts as wrong and is not sent.
    static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// An address, or a number in its international form.
    static func isContact(_ text: String, _ channel: CodeDelivery.Medium) -> Bool {
        guard channel == .sms else { return ExternalEmail(address: text, authority: .unverified) != nil }
        let digits = text.dropFirst()
        return text.hasPrefix("+") && (5...15).contains(digits.utf8.count)
            && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
