import FoundationEssentials
import HTTPTypes
import Hummingbird

/// The headers that every answer carries.
///
/// An answer may hold tokens, so it gets `Cache-Control: no-store` unless its handler sets another value. There is no
/// `Server` header.
struct SecurityHeaders: Sendable {
    private static let noStore = HTTPField(name: .cacheControl, value: "no-store")
    private static let noSniffing = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    private let strictTransport: HTTPField?
    private let clock = HTTPDateClock()

    /// - Parameters:
    ///   - isPubliclySecure: whether clients use TLS; then answers have `Strict-Transport-Security`.
    ///   - coversSubdomains: whether that header includes subdomains.
    init(isPubliclySecure: Bool, coversSubdomains: Bool = false) {
        let value = coversSubdomains ? "max-age=31536000; includeSubDomains" : "max-age=31536000"
        strictTransport = isPubliclySecure ? HTTPField(name: .strictTransportSecurity, value: value) : nil
    }

    /// - Parameter requestID: the value of `X-Request-Id`: the client's id, or else the server's.
    /// - Returns: whether caches may store the answer.
    @discardableResult
    func apply(to headers: inout HTTPFields, requestID: String) -> Bool {
        headers.reserveCapacity(headers.count + 6)
        let caching = headers.value(.cacheControl)
        if caching == nil { headers.append(Self.noStore) }
        headers.append(Self.noSniffing)
        headers.append(HTTPField(name: .requestID, value: requestID))
        headers.append(clock.field(at: Date()))
        if let strictTransport { headers.append(strictTransport) }
        return caching?.hasPrefix("public") ?? false
    }
}
