import Clients
import Foundation
import SignIn
import WebAuthn

/// The answer of an app to a challenge, in terms of the core.
extension CognitoSignIn {
    func answer(_ challenge: CognitoChallenge.Name, _ responses: CognitoTexts) throws -> StepAnswer {
        switch challenge {
        case .passwordVerifier, .devicePasswordVerifier: return .passwordProof(try Self.proof(responses))
        case .deviceSRPAuth:
            return .deviceValue(try responses.required("SRP_A"), device: try responses.required("DEVICE_KEY"))
        case .smsMFA: return .code(try responses.required("SMS_MFA_CODE"))
        case .softwareTokenMFA: return .code(try responses.required("SOFTWARE_TOKEN_MFA_CODE"))
        case .emailOTP: return .code(try responses.required("EMAIL_OTP_CODE"))
        case .smsOTP: return .code(try responses.required("SMS_OTP_CODE"))
        case .selectMFAType: return .choice(try Self.factor(try responses.required("ANSWER")))
        case .password: return .password(try responses.required("PASSWORD"))
        case .webAuthn: return .passkey(PasskeyAnswer(text: try responses.required("CREDENTIAL")))
        case .customChallenge: return .challenge(try responses.required("ANSWER"))
        case .newPasswordRequired:
            return .newPassword(
                try responses.required("NEW_PASSWORD"), attributes: Self.attributes(responses))
        case .passwordSRP, .selectChallenge, .mfaSetup: throw CognitoError.missing("ANSWER")
        }
    }

    private static func proof(_ responses: CognitoTexts) throws -> SRPProof {
        let block = Data(base64Encoded: try responses.required("PASSWORD_CLAIM_SECRET_BLOCK")).map(Array.init)
        let signature = Data(base64Encoded: try responses.required("PASSWORD_CLAIM_SIGNATURE")).map(Array.init)
        return SRPProof(
            secretBlock: block ?? [], timestamp: try responses.required("TIMESTAMP"), signature: signature ?? [])
    }

    private static func attributes(_ responses: CognitoTexts) -> [String: String] {
        let pairs = responses.beginning("userAttributes.").compactMap { name, value in
            CognitoAttributes.attribute(named: name).map { ($0, value) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The id of a second factor in the core.
    private static func factor(_ answer: String) throws(CognitoError) -> String {
        switch answer {
        case "SMS_MFA": return StepChoice.Kind.sms.rawValue
        case "SOFTWARE_TOKEN_MFA": return StepChoice.Kind.totp.rawValue
        // The API's text has the one name, its enums have the other.
        case "EMAIL_OTP", "EMAIL_MFA": return StepChoice.Kind.email.rawValue
        default: throw .invalid("Invalid parameter ANSWER.")
        }
    }
}
