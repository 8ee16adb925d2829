package import HTTPTypes
package import Hummingbird

extension Response {
    /// Redirects the browser with a GET (RFC 9110 §15.4.4).
    package static func seeOther(_ address: String) -> Response { redirect(.seeOther, address) }

    /// Redirects with 302, as clients of a dialect's `GET` endpoints expect.
    package static func found(_ address: String) -> Response { redirect(.found, address) }

    private static func redirect(_ status: HTTPResponse.Status, _ address: String) -> Response {
        Response(status: status, headers: [.location: address, .referrerPolicy: "no-referrer"])
    }
}

extension HTTPField.Name {
    package static let referrerPolicy = known("Referrer-Policy")
}
