/// A complete answer, never a redirection and never longer than the request allowed.
package struct HTTPResponse: Sendable {
    package let status: Int
    /// In the order received, with their original spelling.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first header of that name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { ASCII.equalIgnoringCase($0.name, name) }?.value
    }

    /// True when the content type is `application/json` or ends in `+json`; parameters are ignored.
    package var isJSON: Bool {
        guard let type = header("Content-Type") else { return false }
        let mediaType = ASCII.lowercased(type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") })
        return mediaType == "application/json" || mediaType.hasPrefix("application/") && mediaType.hasSuffix("+json")
    }
}
