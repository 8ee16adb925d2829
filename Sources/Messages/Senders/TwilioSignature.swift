package import Cryptography
import FoundationEssentials
import Outbound

/// Checks `X-Twilio-Signature`: base64 of HMAC-SHA-1 over the URL and the form.
///
/// The form's names and values follow the URL, sorted by name.
///
/// The signature covers no time, so a replayed report must be harmless.
package enum TwilioSignature {
    package static let headerName = "X-Twilio-Signature"

    /// - Parameters:
    ///   - url: the address that Twilio was given.
    ///   - fields: the decoded form with its empty values.
    package static func holds(
        _ signature: String, url: String, fields: [(name: String, value: String)], token: Secret
    ) -> Bool {
        let sorted = fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let form = sorted.map { $0.name + $0.value }.joined()
        return spellings(of: url).contains { spelling in
            let code = HMACSHA1.code(Array((spelling + form).utf8), key: token.revealed)
            return ConstantTime.equal(Array(signature.utf8), Array(Base64Text.encode(code).utf8))
        }
    }

    /// With a port and without: Twilio signs either, and its own libraries accept both.
    private static func spellings(of url: String) -> [String] {
        guard var other = URLComponents(string: url), other.scheme == "https" else { return [url] }
        other.port = other.port == nil ? 443 : nil
        return [url, other.string].compactMap(\.self)
    }
}
