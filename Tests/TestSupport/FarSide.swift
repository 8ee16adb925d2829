package import Outbound
import Synchronization
import Testing

/// An external service with exactly the endpoints that a test lists.
///
/// An unknown address, a wrong method, or a missing or unexpected parameter fails the test.
package final class FarSide: HTTPTransport {
    package struct Call: Sendable {
        package let url: String
        package let headers: [String: String]
        package let form: [String: String]
    }

    package struct Endpoint: Sendable {
        package var method: HTTPRequest.Method
        /// Lower-case names with their required values; `*` means any value.
        package var headers: [String: String]
        package var fields: Set<String>
        package var optionalFields: Set<String>
        package var answer: @Sendable (Call) -> Result<HTTPResponse, TransferError>

        package init(
            method: HTTPRequest.Method = .get, headers: [String: String] = ["accept": "application/json"],
            fields: Set<String> = [], optionalFields: Set<String> = [],
            answer: @escaping @Sendable (Call) -> Result<HTTPResponse, TransferError>
        ) {
            (self.method, self.headers, self.answer) = (method, headers, answer)
            (self.fields, self.optionalFields) = (fields, optionalFields)
        }
    }

    private struct State {
        var endpoints: [String: Endpoint] = [:]
        var calls: [Call] = []
    }

    private let state = Mutex(State())

    package init() {}

    package subscript(url: String) -> Endpoint? {
        get { state.withLock { $0.endpoints[url] } }
        set { state.withLock { $0.endpoints[url] = newValue } }
    }

    package var calls: [Call] { state.withLock { $0.calls } }

    package func count(_ url: String) -> Int { calls.count { $0.url == url } }

    package func forgetCalls() { state.withLock { $0.calls = [] } }

    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let call = Call(url: request.url, headers: Self.headers(of: request), form: Self.form(of: request))
        let endpoint = state.withLock { state in
            state.calls.append(call)
            return state.endpoints[request.url]
        }
        guard let endpoint else {
            Issue.record("nobody lives at \(request.url)")
            throw .connectFailed
        }
        #expect(request.method == endpoint.method, "method at \(request.url)")
        #expect(request.deadline > .zero && request.deadline <= .seconds(5))
        expectHeaders(call, endpoint)
        expectFields(call, endpoint)
        return try endpoint.answer(call).get()
    }

    private func expectHeaders(_ call: Call, _ endpoint: Endpoint) {
        var demanded = endpoint.headers
        if endpoint.method == .post { demanded["content-type"] = "application/x-www-form-urlencoded" }
        #expect(Set(call.headers.keys) == Set(demanded.keys), "headers at \(call.url)")
        for (name, value) in demanded where value != "*" {
            #expect(call.headers[name] == value, "header \(name) at \(call.url)")
        }
    }

    private func expectFields(_ call: Call, _ endpoint: Endpoint) {
        let sent = Set(call.form.keys)
        #expect(endpoint.fields.subtracting(sent).isEmpty, "missing at \(call.url)")
        let unexpected = sent.subtracting(endpoint.fields).subtracting(endpoint.optionalFields)
        #expect(unexpected.isEmpty, "unexpected at \(call.url)")
    }

    private static func headers(of request: HTTPRequest) -> [String: String] {
        let pairs = request.headers.map { ($0.name.lowercased(), $0.value) }
        #expect(Set(pairs.map(\.0)).count == pairs.count, "a header twice")
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    private static func form(of request: HTTPRequest) -> [String: String] {
        fields(of: String(decoding: request.body ?? [], as: UTF8.self))
    }

    /// The fields of a form or a query, each at most once.
    package static func fields(of text: String) -> [String: String] {
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (unescaped(parts[0]), parts.count == 2 ? unescaped(parts[1]) : "")
        }
        #expect(Set(pairs.map(\.0)).count == pairs.count, "a field twice")
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Decodes percent-encoding only: a `+` stays one.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension HTTPResponse {
    package static func json(
        _ text: String, status: Int = 200, headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json;charset=UTF-8")] + headers,
            body: Array(text.utf8))
    }

    package static let html = HTTPResponse(
        status: 200, headers: [("Content-Type", "text/html")], body: Array("<html>back soon</html>".utf8))
}
