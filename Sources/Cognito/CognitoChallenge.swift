import Clients
import Foundation
import JSON
import Messages
import SignIn
import Vocabulary
import WebAuthn

/// Each step of the core as a challenge of the API.
///
/// The switch is exhaustive: a new step does not compile until it has a challenge, or is one for a browser.
struct CognitoChallenge {
    /// `ChallengeName`.
    enum Name: String, CaseIterable, Sendable {
        case passwordVerifier = "PASSWORD_VERIFIER"
        case smsMFA = "SMS_MFA"
        case softwareTokenMFA = "SOFTWARE_TOKEN_MFA"
        case emailOTP = "EMAIL_OTP"
        case smsOTP = "SMS_OTP"
        case selectMFAType = "SELECT_MFA_TYPE"
        case mfaSetup = "MFA_SETUP"
        case selectChallenge = "SELECT_CHALLENGE"
        case password = "PASSWORD"
        case passwordSRP = "PASSWORD_SRP"
        case webAuthn = "WEB_AUTHN"
        case newPasswordRequired = "NEW_PASSWORD_REQUIRED"
        case customChallenge = "CUSTOM_CHALLENGE"
        case deviceSRPAuth = "DEVICE_SRP_AUTH"
        case devicePasswordVerifier = "DEVICE_PASSWORD_VERIFIER"

        /// Whether an answer to it may be a second factor.
        var isSecondFactor: Bool { [.smsMFA, .softwareTokenMFA, .emailOTP].contains(self) }
    }

    let name: Name
    var parameters: [(name: String, value: String)] = []
    /// `AvailableChallenges`, only beside `SELECT_CHALLENGE`.
    var available: [Name] = []

    init(_ name: Name, _ parameters: [(name: String, value: String)] = [], available: [Name] = []) {
        (self.name, self.parameters, self.available) = (name, parameters, available)
    }

    /// - Parameters:
    ///   - session: the flow token for the next call.
    func json(session: String) -> JSONObject {
        var parameters: JSONObject = [:]
        for parameter in self.parameters { parameters[parameter.name] = .string(parameter.value) }
        var answer: JSONObject = [
            "ChallengeName": .string(name.rawValue), "Session": .string(session),
            "ChallengeParameters": .object(parameters),
        ]
        if !available.isEmpty { answer["AvailableChallenges"] = .array(available.map { .string($0.rawValue) }) }
        return answer
    }

    /// - Parameters:
    ///   - pending: the step with its flow token.
    ///   - isFirst: whether the call began the sign-in, so that a password is a choice of the user.
    ///   - user: the name that the client sent.
    ///   - profile: the account of a user who must set a new password.
    ///   - browser: the address of the hosted sign-in.
    /// - Throws: ``CognitoError`` for a step that ends the sign-in here, or that only a browser can answer.
    init(
        _ pending: PendingStep, isFirst: Bool, user: String?, profile: AccountProfile? = nil, browser: String
    ) throws(CognitoError) {
        switch pending.step {
        case .firstFactorSelection(let choices): self.init(.selectChallenge, available: Self.firstFactors(choices))
        case .firstFactorCode(let sent, _): self.init(sent.medium == .sms ? .smsOTP : .emailOTP, Self.delivery(sent))
        case .password(let options):
            self.init(
                isFirst ? .selectChallenge : .password,
                available: isFirst ? [.password, .passwordSRP] + Self.firstFactors(options.choices) : [])
        case .passwordProof(let challenge): self.init(.passwordVerifier, Self.srp(challenge, pending.flow))
        case .deviceProof(let challenge?, _):
            self.init(.devicePasswordVerifier, Self.device(challenge, user, pending.flow))
        case .deviceProof(nil, _): self.init(.deviceSRPAuth)
        case .passkey(let passkey, _):
            self.init(.webAuthn, [("CREDENTIAL_REQUEST_OPTIONS", passkey.json.text)])
        case .secondFactorSelection(let choices):
            self.init(.selectMFAType, [("MFAS_CAN_CHOOSE", try Self.secondFactors(choices, browser))])
        case .secondFactorCode(let sent, _), .codeSetUp(let sent):
            self.init(sent.medium == .sms ? .smsMFA : .emailOTP, Self.delivery(sent))
        case .totpCode: self.init(.softwareTokenMFA)
        case .customChallenge(let prompt, _): self.init(.customChallenge, Self.texts(prompt))
        case .factorSetUpSelection(let choices):
            self.init(.mfaSetup, [("MFAS_CAN_SETUP", try Self.secondFactors(choices, browser))])
        case .totpSetUp: self.init(.mfaSetup, [("MFAS_CAN_SETUP", Self.list([.softwareTokenMFA]))])
        case .emailSetUp: self.init(.mfaSetup, [("MFAS_CAN_SETUP", Self.list([.emailOTP]))])
        case .newPassword(let attributes):
            self.init(
                .newPasswordRequired,
                [("requiredAttributes", Self.required(attributes)), ("userAttributes", Self.attributes(of: profile))])
        case .resetPassword:
            throw CognitoError(
                .passwordResetRequired, "Password reset required for the user", code: "invalid_credentials")
        case .confirmSignUp:
            throw CognitoError(.userNotConfirmed, "User is not confirmed.", code: "invalid_credentials")
        case .recoveryCode, .recoveryCodes, .phoneSetUp, .passkeySetUp, .resetUnderWay, .attributes, .linkAccount:
            throw .inBrowser(browser)
        case .continueInBrowser(let url): throw .inBrowser(url)
        }
    }

    private static func firstFactors(_ choices: [StepChoice]) -> [Name] {
        choices.flatMap { choice -> [Name] in
            switch choice.kind {
            case .password: [.password, .passwordSRP]
            case .emailCode: [.emailOTP]
            case .smsCode: [.smsOTP]
            case .passkey: [.webAuthn]
            case .totp, .sms, .email, .recoveryCode, .customChallenge: []
            }
        }
    }

    /// The factors that the API knows, as JSON text.
    private static func secondFactors(_ choices: [StepChoice], _ browser: String) throws(CognitoError) -> String {
        let known = choices.compactMap { choice -> Name? in
            switch choice.kind {
            case .totp: .softwareTokenMFA
            case .sms: .smsMFA
            case .email: .emailOTP
            case .password, .emailCode, .smsCode, .passkey, .recoveryCode, .customChallenge: nil
            }
        }
        guard !known.isEmpty else { throw .inBrowser(browser) }
        return list(known)
    }

    private static func list(_ names: [Name]) -> String { JSON.array(names.map { .string($0.rawValue) }).text }

    private static func delivery(_ sent: SentCode) -> [(name: String, value: String)] {
        [
            ("CODE_DELIVERY_DELIVERY_MEDIUM", sent.medium == .sms ? "SMS" : "EMAIL"),
            ("CODE_DELIVERY_DESTINATION", sent.destination),
        ]
    }

    /// The block names the flow, because some clients send no session with the proof.
    private static func srp(_ challenge: SRPChallenge, _ flow: String) -> [(name: String, value: String)] {
        [
            ("SALT", challenge.salt), ("SRP_B", challenge.serverValue), ("SECRET_BLOCK", secretBlock(flow)),
            ("USERNAME", challenge.user), ("USER_ID_FOR_SRP", challenge.user),
        ]
    }

    /// An SDK looks its device up by the user name that it sent, so the answer repeats that name.
    private static func device(
        _ challenge: SRPChallenge, _ user: String?, _ flow: String
    ) -> [(name: String, value: String)] {
        [
            ("SALT", challenge.salt), ("SRP_B", challenge.serverValue), ("SECRET_BLOCK", secretBlock(flow)),
            ("USERNAME", user ?? challenge.user), ("DEVICE_KEY", challenge.user),
        ]
    }

    static func secretBlock(_ flow: String) -> String { Data(flow.utf8).base64EncodedString() }

    /// The flow of a block; nil for a text that is no Base64.
    static func flow(ofSecretBlock text: String) -> String? {
        Data(base64Encoded: text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Every value is a text; others are JSON in one.
    private static func texts(_ prompt: ChallengePrompt) -> [(name: String, value: String)] {
        prompt.members.members.map { ($0.name, $0.value.string ?? $0.value.text) }
    }

    /// The user's attributes, as JSON text: all but the id, which no user writes.
    private static func attributes(of profile: AccountProfile?) -> String {
        var attributes: JSONObject = [:]
        for attribute in profile?.cognitoAttributes ?? [] where attribute.name != CognitoAttributes.Own.sub.rawValue {
            attributes[attribute.name] = .string(attribute.value)
        }
        return JSON.object(attributes).text
    }

    private static func required(_ attributes: [String]) -> String {
        JSON.array(attributes.map { .string("userAttributes.\(CognitoAttributes.name(of: $0))") }).text
    }
}

extension CognitoError {
    /// A step that the API has no element for: the message leads to the hosted sign-in.
    static func inBrowser(_ address: String) -> CognitoError {
        CognitoError(.userLambdaValidation, "Continue in a browser: \(address)", code: "provider_declined")
    }

    /// The deletion of the account is pending: the message leads to the page that can cancel it.
    static func leaving(_ address: String) -> CognitoError {
        CognitoError(
            .userLambdaValidation, "The user will be deleted. To keep the user, sign in at \(address)",
            code: Rejection.deletionWaits.code)
    }
}
