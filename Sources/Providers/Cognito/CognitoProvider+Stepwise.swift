package import Cryptography
package import JSON

extension CognitoProvider: StepwiseSignIn {
    package var canSignInStepwise: Bool { configuration.authFlow != .off }

    package func begin(
        username: String, password: Secret?, context: StepwiseContext
    ) async throws(ProviderError) -> StepwiseAnswer {
        try CognitoInput.check(username: username)
        if let password { try CognitoInput.check(password: password) }
        return try await conversation(context).start(username, password)
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

    private func conversation(_ context: StepwiseContext) throws(ProviderError) -> CognitoConversation {
        guard canSignInStepwise else { throw .misconfigured(reason: "username_sign_in_off") }
        return CognitoConversation(
            provider: self, clientID: configuration.clientIDs[0], context: context, deadline: upstream.deadline())
    }
}

/// Checks typed values against the API's limits, so that no request is sent only to be refused.
enum CognitoInput {
    static func check(username: String) throws(ProviderError) {
        guard (1...128).contains(username.unicodeScalars.count), username.unicodeScalars.allSatisfy(isVisible) else {
            throw .invalidRequest(member: "username", reason: username.isEmpty ? "missing" : "malformed")
        }
    }

    static func check(password: Secret) throws(ProviderError) {
        guard !password.isEmpty else { throw .invalidRequest(member: "password", reason: "missing") }
        guard password.revealed.count <= 1_024 else { throw .invalidRequest(member: "password", reason: "malformed") }
    }

    /// The fault of a new password before any rule of the pool; nil for none.
    static func fault(of password: Secret) -> PasswordFault? {
        let scalars = password.revealedText.unicodeScalars
        if scalars.isEmpty { return .tooShort }
        if scalars.count > 256 { return .tooLong }
        return scalars.contains { $0.properties.isWhitespace } ? .malformed : nil
    }

    /// Codes are digits in practice; any other text counts as wrong and is not sent.
    static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Letters, marks, symbols, numbers and punctuation of any script.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: true
        }
    }
}
