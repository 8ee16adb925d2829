import JSON

/// Cognito's names of factors and ours.
enum CognitoFactor {
    /// The methods behind a list of challenge names; unknown names are left out, since nothing could be asked for.
    static func methods(_ names: [String]) -> [SignInMethod] {
        var methods: [SignInMethod] = []
        for kind in names.compactMap(kind) where !methods.contains(where: { $0.kind == kind }) {
            methods.append(SignInMethod(kind))
        }
        return methods
    }

    /// The first of the offered names that means the chosen method; a password goes by SRP where it can.
    static func name(of choice: String, among offered: [String]) -> String? {
        let fitting = offered.filter { kind($0).map { choice.hasSameBytes(as: $0.rawValue) } ?? false }
        return fitting.contains("PASSWORD_SRP") ? "PASSWORD_SRP" : fitting.first
    }

    /// A list that comes as JSON text in a string; moto and some emulators send a real one.
    static func list(_ value: JSON?) -> [String] {
        let list = value?.array ?? value?.string.flatMap { try? JSON(parsing: $0) }?.array
        return list?.compactMap(\.string) ?? []
    }

    private static func kind(_ name: String) -> SignInMethod.Kind? {
        switch name {
        case "PASSWORD", "PASSWORD_SRP": .password
        // The older spelling stands in the API's text and in no enumeration.
        case "EMAIL_OTP", "EMAIL_MFA": .emailOTP
        case "SMS_OTP", "SMS_MFA": .smsOTP
        case "SOFTWARE_TOKEN_MFA": .totp
        case "WEB_AUTHN": .passkey
        default: nil
        }
    }
}
