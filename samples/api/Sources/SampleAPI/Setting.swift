import Foundation

/// The settings of this server.
///
/// Tokens are compared with them, so none of them may come from a token.
enum Setting {
    /// The gateway's `PUBLIC_URL`, which is the issuer of its tokens.
    static let issuer = value("GATEWAY_URL", default: "http://localhost:8080")
    /// The id of the app that users sign in to: the audience of its tokens.
    static let clientID = value("CLIENT_ID", default: "app")
    /// The app's secret, for introspection alone.
    static let clientSecret = value("CLIENT_SECRET")
    /// The origin that may call this API from a browser.
    static let website = value("WEB_ORIGIN", default: "http://localhost:3000")
    static let port = Int(value("PORT", default: "8090")) ?? 8090

    private static func value(_ name: String, default standard: String? = nil) -> String {
        if let value = ProcessInfo.processInfo.environment[name] ?? standard { return value }
        FileHandle.standardError.write(Data("Set \(name): 'make run' writes it to .env.\n".utf8))
        exit(1)
    }
}
