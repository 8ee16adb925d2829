import JSON

/// Maps Cognito's names of factors to ours.
enum CognitoFactor {
    /// The methods of a list of challenge names, without unknown names, for which no step exists.
    static func methods(_ names: [String]) -> [SignInMethod] {
        var methods: [SignInMethod] = []
        for kind in names.compactMap(kind) where !methods.contains(where: { $0.kind == kind }) {
            methods.append(SignInMethod(kind))
        }
        return methods
    }

    /// The first offered name of the chosen method; a password uses SRP if possible.
    static func name(of choice: String, among offered: [String]) -> String? {
        let fitting = offered.filter { kind($0).map { choice.hasSameBytes(as: $0.rawValue) } ?? false }
        return fitting.contains("PASSWORD_SRP") ? "PASSWORD_SRP" : fitting.first
    }

    /// Reads a list as JSON text in a string; moto and some emulators send a real list.
    static func list(_ value: JSON?) -> [String] {
        let list = value?.array ?? value?.string.flatMap { try? JSON(parsing: $0) }?.array
        return list?.compactMap(\.string) ?? []
    }

    private static func kind(_ name: String) -> SignInMethod.Kind? {
        switch name {
        case "PASSWORD", "PASSWORD_SRP": .password
        // The older spelling occurs in the API's text but in no enumeration.
        case "EMAIL_OTP", "EMAIL_MFA": .emailOTP
        case "SMS_OTP", "SMS_MFA": .smsOTP
        case "SOFTWARE_TOKEN_MFA": .totp
        case "WEB_AUTHN": .passkey
        default: nil
        }
    }
}
