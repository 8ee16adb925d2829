import HTTPTypes
import Hummingbird

/// The headers that every answer carries.
///
/// Answers may hold tokens unless their handler says otherwise, so `Cache-Control: no-store` is the rule and a handler
/// that wants caching, the key set's, sets its own. There is no `Server` header.
struct SecurityHeaders: Sendable {
    private static let noStore = HTTPField(name: .cacheControl, value: "no-store")
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    private let strictTransport: HTTPField?
    private let clock = HTTPDateClock()

    /// - Parameters:
    ///   - isPubliclySecure: whether apps reach us over TLS; then browsers are told to keep to it.
    ///   - coversSubdomains: whether they are told so of all names below ours.
    init(isPubliclySecure: Bool, coversSubdomains: Bool = false) {
        let value = coversSubdomains ? "max-age=31536000; includeSubDomains" : "max-age=31536000"
        strictTransport = isPubliclySecure ? HTTPField(name: .strictTransportSecurity, value: value) : nil
    }

    /// - Parameter requestID: what `X-Request-Id` says: the caller's own id, or else the server's.
    /// - Returns: whether the handler said that the answer may be kept.
    @discardableResult
    func apply(to headers: inout HTTPFields, requestID: String) -> Bool {
        headers.reserveCapacity(headers.count + 6)
        let caching = headers.value(.cacheControl)
        if caching == nil { headers.append(Self.noStore) }
        headers.append(Self.noSniffing)
        headers.append(HTTPField(name: .requestID, value: requestID))
        headers.append(HTTPField(name: .date, value: clock.now))
        if let strictTransport { headers.append(strictTransport) }
        return caching?.hasPrefix("public") ?? false
    }
}
