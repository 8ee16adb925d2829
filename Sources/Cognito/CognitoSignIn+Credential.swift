import Clients
import SignIn
import Vocabulary

/// The flow that an app begins, and its credential.
extension CognitoSignIn {
    /// `AuthFlow`.
    enum Flow: String, CaseIterable {
        case userAuth = "USER_AUTH"
        case userSRPAuth = "USER_SRP_AUTH"
        case userPasswordAuth = "USER_PASSWORD_AUTH"
        case adminUserPasswordAuth = "ADMIN_USER_PASSWORD_AUTH"
        /// The older name of ``adminUserPasswordAuth``.
        case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
        case customAuth = "CUSTOM_AUTH"
        case refreshTokenAuth = "REFRESH_TOKEN_AUTH"
        case refreshToken = "REFRESH_TOKEN"

        /// Whether the operation of apps, or that of back ends, has the flow.
        func isOf(back isBackEnd: Bool) -> Bool {
            switch self {
            case .adminUserPasswordAuth, .adminNoSRPAuth: isBackEnd
            case .userPasswordAuth: !isBackEnd
            case .userAuth, .userSRPAuth, .customAuth, .refreshTokenAuth, .refreshToken: true
            }
        }
    }

    /// Nil for a custom flow without a password: it takes the token of a provider.
    func credential(
        _ flow: Flow, _ name: String, _ parameters: CognitoTexts, _ client: Client
    ) throws -> Credential? {
        switch flow {
        case .userPasswordAuth, .adminUserPasswordAuth, .adminNoSRPAuth:
            return .password(name: name, password: try parameters.required("PASSWORD"))
        case .userSRPAuth: return .srp(name: name, clientValue: try parameters.required("SRP_A"))
        case .userAuth: return try preferred(parameters["PREFERRED_CHALLENGE"], name, parameters, client)
        case .customAuth:
            guard parameters["CHALLENGE_NAME"] == "SRP_A" else { return nil }
            return .srp(name: name, clientValue: try parameters.required("SRP_A"))
        case .refreshTokenAuth, .refreshToken: throw CognitoError.missing("REFRESH_TOKEN")
        }
    }

    /// The credential of a chosen challenge; the choice itself for one that is not offered.
    func preferred(
        _ challenge: String?, _ name: String, _ texts: CognitoTexts, _ client: Client
    ) throws(CognitoError) -> Credential {
        switch challenge.flatMap(CognitoChallenge.Name.init(rawValue:)) {
        case .password where client.allows(provider: FirstFactor.password.rawValue):
            guard let password = texts["PASSWORD"] else { return .name(name, first: .password) }
            return .password(name: name, password: password)
        case .passwordSRP where client.allows(provider: FirstFactor.password.rawValue):
            return .srp(name: name, clientValue: try texts.required("SRP_A"))
        case .emailOTP where offers(.emailCode, client, name, not: .phone): return .code(name: name, .emailCode)
        case .smsOTP where offers(.smsCode, client, name, not: .email): return .code(name: name, .smsCode)
        case .webAuthn: return .name(name, first: .passkey)
        default: return .name(name)
        }
    }

    /// Whether the app sends codes of this kind to names of the kind that the user typed.
    private func offers(
        _ factor: FirstFactor, _ client: Client, _ name: String, not kind: SignInName.Kind
    ) -> Bool {
        client.allows(provider: factor.rawValue) && SignInName(name)?.kind != kind
    }
}
