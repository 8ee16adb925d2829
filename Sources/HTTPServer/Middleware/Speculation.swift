import HTTPTypes
package import Hummingbird

/// Requests that no person made: a browser's prefetch, prerender or preview, and HEAD.
///
/// They have no effect. The shell refuses every announced speculation, and ``RouterMethods/acting(_:use:)`` refuses HEAD.
enum Speculation {
    /// Whether the browser announces that nobody has followed the link yet (Fetch Metadata, and its older forms).
    ///
    /// One pass, and it compares only names of these lengths, because every request pays for it.
    static func isAnnounced(in headers: HTTPFields) -> Bool {
        for field in headers {
            switch field.name.canonicalName.utf8.count {
            case 5, 7, 9, 11:
                if names.contains(field.name), isSpeculative(field.value) { return true }
            default: break
            }
        }
        return false
    }

    private static let names: [HTTPField.Name] = ["X-Moz", "Purpose", "X-Purpose", "Sec-Purpose"].map { .known($0) }

    /// Such as `prefetch;prerender`.
    private static func isSpeculative(_ value: String) -> Bool {
        let words = value.lowercased()
        return ["prefetch", "prerender", "preview"].contains { words.contains($0) }
    }
}

extension RouterMethods<GatewayContext> {
    /// Mounts a GET with an effect, such as a callback that spends a state, or a view that leaves an audit row.
    ///
    /// The router answers HEAD by running the handler of GET. A link checker would then cause the effect.
    package func acting(
        _ path: RouterPath, use handler: @escaping @Sendable (Request, GatewayContext) async throws -> Response
    ) {
        get(path) { request, context in
            guard request.method == .get else { throw Problem.speculativeRequest }
            return try await handler(request, context)
        }
    }
}
