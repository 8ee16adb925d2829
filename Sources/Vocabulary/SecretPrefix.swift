import Cryptography

/// THE TABLE of prefixes of the secrets that we issue.
///
/// Issuing takes a prefix from here, and the log and the request ids mask every one of them (`Telemetry/Logging`). A prefix
/// outside this table would show in logs.
package enum SecretPrefix: String, Sendable, CaseIterable {
    case refreshToken = "rt_"
    case flow = "fl_"
    case handoverCode = "hc_"
    /// Of a stored authorization request.
    case authorizationRequest = "au_"
    /// Of the management of a client that registered itself.
    case registrationToken = "ra_"
    /// Of a device that waits for its user.
    case deviceCode = "dc_"
    /// Of a device's request in the form that answers it.
    case deviceRequest = "dr_"
    /// Of a session that a later call of a dialect fetches.
    case confirmedSession = "cs_"
    /// Of an authorization code of native authentication.
    case nativeCode = "nc_"
    case knownDevice = "dt_"
    case mergeTicket = "mt_"
    case disownTicket = "nd_"
    /// Of the link that an invited user gets.
    case invitation = "iv_"
    case webhookSecret = "whsec_"
    /// Of a back end that acts as an operator.
    case accessKey = "ak_"

    /// Whether a word may end with it, as `start_` with `rt_`: the log then masks only what looks like a secret.
    package var occursInWords: Bool {
        switch self {
        case .handoverCode, .webhookSecret: false
        default: true
        }
    }

    /// The text of a secret.
    package func text(_ bytes: [UInt8]) -> String { rawValue + Base64URL.encode(bytes) }

    /// Whether a text begins with it.
    package func begins(_ text: String) -> Bool { text.hasPrefix(rawValue) }

    /// The text behind it; nil for any other text.
    package func rest(of text: String) -> Substring? { begins(text) ? text.dropFirst(rawValue.count) : nil }

    /// The bytes of a secret; nil for any other text.
    package func bytes(of text: String) -> [UInt8]? { rest(of: text).flatMap { Base64URL.decode($0) } }
}
