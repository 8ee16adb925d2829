import Foundation

/// The origin of a request, for the audit log and the session list; not secret.
package struct Caller: Sendable, Equatable {
    /// The peer's address in text form.
    package let address: String
    package let requestID: String
    package let userAgent: String?
    /// The user's language, a BCP 47 tag; nil if unknown.
    package var language: String?
    /// The id of the access key with which a back end calls, or passes on a user's sign-in; nil for the user's own request.
    package var accessKey: String?
    /// The thumbprint of the key whose possession the request proved (RFC 9449 §6.1); nil without a proof.
    package var key: String?

    package init(address: String, requestID: String, userAgent: String? = nil, language: String? = nil) {
        self.language = language
        self.address = address
        self.requestID = requestID
        self.userAgent = userAgent.map {
            String($0.unicodeScalars.filter { $0.value >= 0x20 }.prefix(200).map(Character.init))
        }
    }
}
