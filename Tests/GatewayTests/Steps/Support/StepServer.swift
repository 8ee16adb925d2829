/// A server with passkeys and text messages.
enum StepServer {
    static let configuration: [String: String?] = [
        "SMS_SENDER": "file", "PASSKEY_DOMAIN": "example.org", "PASSKEY_ORIGINS": origin,
    ]
    /// The same with apps that may use passkeys.
    static let withApps = configuration.merging([
        "CLIENT_REGISTRATION": "open", "PASSKEY_APPLE_APPS": "TEAM123456.com.example.app",
        "PASSKEY_ANDROID_APPS": "com.example.app:" + Array(repeating: "AB", count: 32).joined(separator: ":"),
    ]) { $1 }
    /// The origin of the passkeys.
    static let origin = "https://login.example.org"
}
