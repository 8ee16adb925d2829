import Foundation

struct SignInRequest: Encodable, Sendable {
    let provider: String
    let clientID: String
    let credential: CredentialMembers
    let device: DeviceMembers?
    let linkFlow: Secret?
    let botCheck: Secret?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case provider, credential, device
        case botCheck = "bot_check"
        case clientID = "client_id"
        case linkFlow = "link_flow"
    }
}

struct SignUpRequest: Encodable, Sendable {
    let clientID: String
    let username: String
    let password: Secret?
    let email: String?
    let phone: String?
    let displayName: String?
    let attributes: [String: JSONValue]?
    let device: DeviceMembers?
    let botCheck: Secret?

    init(clientID: String, form: SignUpForm, device: DeviceMembers?, botCheck: Secret?) {
        self.botCheck = botCheck
        (self.clientID, self.device) = (clientID, device)
        (username, password, email, phone) = (form.username, form.password.map(Secret.init), form.email, form.phone)
        displayName = form.displayName
        attributes = form.attributes.isEmpty ? nil : form.attributes
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case username, password, email, phone, attributes, device
        case botCheck = "bot_check"
        case clientID = "client_id"
        case displayName = "display_name"
    }
}

struct ForgotRequest: Encodable, Sendable {
    let clientID: String
    let username: String
    let device: DeviceMembers?
    let botCheck: Secret?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case username, device
        case botCheck = "bot_check"
        case clientID = "client_id"
    }
}

/// The device, as requests name it.
struct DeviceMembers: Codable, Sendable {
    let name: String?
    let token: Secret?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, token
    }
}

struct NonceAnswer: Decodable {
    let nonce: Secret

    enum CodingKeys: String, CodingKey, CaseIterable {
        case nonce
        case expiresIn = "expires_in"
    }

    init(from decoder: any Decoder) throws {
        nonce = try decoder.container(keyedBy: CodingKeys.self).decode(Secret.self, forKey: .nonce)
    }
}

/// The answer to a sign-in and to each step.
enum SignInAnswer: Decodable {
    case signedIn(SignedInAnswer)
    case nextStep(NextStepAnswer)

    private enum Status: String, Decodable {
        case signedIn = "signed_in"
        case nextStep = "next_step"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: SignedInAnswer.CodingKeys.self)
        switch try values.decode(Status.self, forKey: .status) {
        case .signedIn: self = .signedIn(try SignedInAnswer(from: decoder))
        case .nextStep: self = .nextStep(try NextStepAnswer(from: decoder))
        }
    }
}

struct SignedInAnswer: Decodable, Sendable {
    let account: Account
    let identity: SignedInIdentity?
    let session: TokensAnswer
    let isNewAccount: Bool
    let device: DeviceMembers?
    let recoveryCodes: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case status, account, identity, session, device
        case isNewAccount = "new_account"
        case recoveryCodes = "recovery_codes"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        account = try values.decode(Account.self, forKey: .account)
        identity = try values.decodeIfPresent(SignedInIdentity.self, forKey: .identity)
        session = try values.decode(TokensAnswer.self, forKey: .session)
        isNewAccount = try values.decode(Bool.self, forKey: .isNewAccount)
        device = try values.decodeIfPresent(DeviceMembers.self, forKey: .device)
        recoveryCodes = try values.decodeIfPresent([String].self, forKey: .recoveryCodes)
    }
}

struct NextStepAnswer: Decodable, Sendable {
    let flow: Secret
    let expiresIn: Int
    let step: StepMembers
    let recoveryCodes: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case status, flow
        case expiresIn = "expires_in"
        case step = "next_step"
        case recoveryCodes = "recovery_codes"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        flow = try values.decode(Secret.self, forKey: .flow)
        expiresIn = try values.decode(Int.self, forKey: .expiresIn)
        step = try values.decode(StepMembers.self, forKey: .step)
        recoveryCodes = try values.decodeIfPresent([String].self, forKey: .recoveryCodes)
    }
}

/// The tokens of a session, of a sign-in or a refresh.
struct TokensAnswer: Decodable, Sendable {
    let id: String
    let tokenType: String?
    let accessToken: Secret
    let expiresIn: Int
    let refreshToken: Secret
    let refreshExpiresIn: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case tokenType = "token_type"
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case refreshExpiresIn = "refresh_expires_in"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        tokenType = try values.decodeIfPresent(String.self, forKey: .tokenType)
        accessToken = try values.decode(Secret.self, forKey: .accessToken)
        expiresIn = try values.decode(Int.self, forKey: .expiresIn)
        refreshToken = try values.decode(Secret.self, forKey: .refreshToken)
        refreshExpiresIn = try values.decode(Int.self, forKey: .refreshExpiresIn)
    }
}
