/// The levels of authentication of Cognito's tokens, which `acr` names.
package enum CognitoLevel: Int, CaseIterable, Comparable, Sendable {
    case password = 1
    /// A mailed or texted code.
    case code
    /// A passkey, or a password with a code.
    case strong
    /// A password with a code of an authenticator app.
    case authenticatorApp

    private static let prefix = "urn:cognito:loa:"

    /// The URI in tokens.
    package var uri: String { "\(Self.prefix)\(rawValue)" }

    /// Nil for another URI.
    package init?(uri: some StringProtocol) {
        guard let level = Self.allCases.first(where: { $0.uri == uri }) else { return nil }
        self = level
    }

    package static func < (one: CognitoLevel, other: CognitoLevel) -> Bool { one.rawValue < other.rawValue }
}

extension Proofs {
    /// The level that Cognito's table gives to the proofs.
    ///
    /// Nil where the table has none: a guest, a provider, a recovery code alone, the operator's service.
    package var cognitoLevel: CognitoLevel? {
        let hasCode = has(.emailCode) || has(.smsCode)
        if has(.password), has(.totp) { return .authenticatorApp }
        if has(.passkey) || has(.verifiedPasskey) || has(.password) && hasCode { return .strong }
        if hasCode { return .code }
        return has(.password) ? .password : nil
    }

    /// `amr` in Cognito's words, in order of proving.
    var cognitoMethods: [String] {
        var methods: [String] = []
        for method in list.compactMap(\.kind.cognitoMethod) where !methods.contains(method) { methods.append(method) }
        return isMultiFactor ? methods + ["mfa"] : methods
    }
}

extension Proof.Kind {
    /// Nil for a proof that Cognito does not know.
    fileprivate var cognitoMethod: String? {
        switch self {
        case .password: "pwd"
        case .provider: "fed"
        case .emailCode: "email_otp"
        case .smsCode: "sms"
        case .totp: "otp"
        // The kind of the authenticator is unknown, so no hardware is claimed (`hwk`).
        case .passkey, .verifiedPasskey: "swk"
        case .recoveryCode, .custom: nil
        }
    }
}
