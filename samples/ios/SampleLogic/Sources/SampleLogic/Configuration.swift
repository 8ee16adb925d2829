public import Foundation

/// The values of `Configuration/Sample.xcconfig`, which the app's `Info.plist` carries.
public struct Configuration: Sendable {
    /// The gateway's `PUBLIC_URL`.
    public let url: URL
    /// The app's id at the gateway.
    public let clientID: String
    /// The address to which the browser returns.
    public let redirectURI: String

    /// Nil if a value is missing, or the address of the gateway has no host.
    public init?(_ info: [String: Any]) {
        guard let url = (info["GatewayURL"] as? String).flatMap({ URL(string: $0) }), url.host != nil,
            let clientID = info["GatewayClientID"] as? String, !clientID.isEmpty,
            let scheme = info["CFBundleIdentifier"] as? String
        else { return nil }
        (self.url, self.clientID, redirectURI) = (url, clientID, "\(scheme):/signed-in")
    }
}
