/// One request to a provider, as data; the checks happen when it is sent.
package struct HTTPRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var method: Method
    /// An absolute `https:` URL without user-info and fragment, already percent-encoded.
    package var url: String
    /// Names are tokens, values visible ASCII and spaces; anything else is refused before a byte is sent.
    package var headers: [(name: String, value: String)]
    /// The body of a `POST`, at most 1 MiB; the client never repeats a `POST`.
    package var body: [UInt8]?
    /// The time limit from the call to the last byte of the answer.
    package var deadline: Duration
    /// The part of ``deadline`` for name resolution, connection and TLS.
    package var connectDeadline: Duration
    /// The longest accepted body, in bytes.
    package var maximumBytes: Int

    package init(
        method: Method,
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        deadline: Duration = .seconds(5),
        connectDeadline: Duration = .seconds(3),
        maximumBytes: Int = 256 * 1024
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadline = deadline
        self.connectDeadline = connectDeadline
        self.maximumBytes = maximumBytes
    }

    /// A `GET`; `query` is encoded strictly and appended to the URL's own query.
    package static func get(
        _ url: String,
        query: [(String, String)] = [],
        headers: [(name: String, value: String)] = []
    ) -> HTTPRequest {
        HTTPRequest(method: .get, url: FormEncoding.appending(query, to: url), headers: headers)
    }

    /// A `POST` of `application/x-www-form-urlencoded` fields, strictly encoded.
    package static func form(
        _ url: String,
        _ fields: [(String, String)],
        headers: [(name: String, value: String)] = []
    ) -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: url,
            headers: [("Content-Type", "application/x-www-form-urlencoded")] + headers,
            body: Array(FormEncoding.encode(fields).utf8))
    }
}
