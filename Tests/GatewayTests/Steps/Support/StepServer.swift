/// A server with passkeys and text messages.
enum StepServer {
    static let configuration: [String: String?] = [
        "SMS_SENDER": "file", "PASSKEY_DOMAIN": "example.org", "PASSKEY_ORIGINS": origin,
    ]
    /// Where passkeys are used.
    static let origin = "https://login.example.org"
}
