/// A first factor for a typed name.
package enum FirstFactor: String, Codable, Sendable, CaseIterable {
    case password
    case emailCode = "email_otp"
    case smsCode = "sms_otp"
    case passkey

    /// The ids of these factors that an installation offers.
    package static func offered(sendsTexts: Bool, hasPasskeys: Bool) -> [String] {
        allCases.filter { ($0 != .smsCode || sendsTexts) && ($0 != .passkey || hasPasskeys) }.map(\.rawValue)
    }
}
