import Vocabulary

extension RequestField {
    /// The field's JSON Pointer (RFC 6901), relative to the object that contains it.
    var pointer: String { "/\(name)" }

    /// The pointer of a member of the field.
    func pointer(of member: String) -> String {
        pointer + "/" + member.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private var name: String {
        switch self {
        case .username: "username"
        case .password: "password"
        case .currentPassword: "current_password"
        case .newPassword: "new_password"
        case .email: "email"
        case .phone: "phone"
        case .address: "address"
        case .code, .providerAnswer: "code"
        case .recoveryCode: "recovery_code"
        case .challengeAnswer: "answer"
        case .factor: "factor"
        case .passkey: "credential"
        case .displayName: "display_name"
        case .firstFactor: "first_factor"
        case .attributes: "attributes"
        case .credential(let member): member
        case .accessToken: "access_token"
        case .cursor: "cursor"
        case .separateAccount: "create_account"
        case .kind: "type"
        case .recoveryCodes: "codes"
        case .responseType: "response_type"
        case .redirectURI: "redirect_uri"
        case .state: "state"
        case .codeChallenge: "code_challenge"
        case .codeChallengeMethod: "code_challenge_method"
        case .codeVerifier: "code_verifier"
        case .responseMode: "response_mode"
        case .prompt: "prompt"
        case .nonce: "nonce"
        }
    }
}

extension AttributeFault {
    /// The attribute's JSON Pointer, relative to the object that contains `attributes`.
    var pointer: String { RequestField.attributes.pointer(of: name) }
}
