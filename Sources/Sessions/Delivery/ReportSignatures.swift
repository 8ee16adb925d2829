package import Cryptography
import Foundation
import Providers

/// Where Twilio reports to, and what it signs with.
package struct TwilioCallback: Sendable {
    package static let path = "v1/events/twilio"

    package let url: String
    let token: Secret

    package init(url: String, token: Secret) { (self.url, self.token) = (url, token) }
}

/// A report is believed by its signature alone: it is checked before anything of it is acted on.
extension DeliveryReports {
    package static let signatureHeader = WebhookSignature.headerName
    package static let twilioSignatureHeader = TwilioSignature.headerName

    /// Checks a report that is signed as our own calls are.
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

    /// Checks a report of Twilio's: its form, decoded, with its empty values.
    ///
    /// - Throws: `.reportNotSigned`.
    package func check(twilio signature: String?, fields: [(name: String, value: String)]) throws(Rejection) {
        guard let twilio, let signature,
            TwilioSignature.holds(signature, url: twilio.url, fields: fields, token: twilio.token)
        else { throw .reportNotSigned }
    }
}
