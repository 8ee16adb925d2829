package import Cryptography
import Foundation
import Outbound
package import Vocabulary

/// The address of Twilio's reports, and the key of their signatures.
package struct TwilioCallback: Sendable {
    package static let path = "v1/events/twilio"

    package let url: String
    let token: Secret

    package init(url: String, token: Secret) { (self.url, self.token) = (url, token) }
}

/// Only its signature makes a report trustworthy, so it is checked before any effect.
extension DeliveryReports {
    package static let signatureHeader = WebhookSignature.headerName
    package static let twilioSignatureHeader = TwilioSignature.headerName

    /// Checks a report with our own signature scheme.
    ///
    /// - Throws: `.reportNotSigned`, `.reportOutOfTime`.
    package func check(_ signature: String?, of body: [UInt8]) throws(Rejection) {
        guard let secret, let signature else { throw .reportNotSigned }
        do throws(WebhookSignature.Fault) {
            try WebhookSignature.check(signature, of: body, secret: secret, at: Date())
        } catch {
            throw error == .outOfTime ? .reportOutOfTime : .reportNotSigned
        }
    }

    /// Checks a report of Twilio by its decoded form, including empty values.
    ///
    /// - Throws: `.reportNotSigned`.
    package func check(twilio signature: String?, fields: [(name: String, value: String)]) throws(Rejection) {
        guard let twilio, let signature,
            TwilioSignature.holds(signature, url: twilio.url, fields: fields, token: twilio.token)
        else { throw .reportNotSigned }
    }
}
