import Foundation

/// The method and the address for which a proof was made.
package struct ProvedRequest: Sendable {
    let method: String
    private let place: Place

    /// - Parameters:
    ///   - origin: the gateway's public address; the `Host` header decides nothing.
    ///   - path: as requested, without the query.
    package init(method: String, path: String, at origin: String) {
        self.method = method
        place = Place(origin + path) ?? Place(scheme: "", host: "", port: nil, path: [])
    }

    /// Whether `htu` names this request, after the normalisations of RFC 3986 §6.2.2 and §6.2.3 (RFC 9449 §4.3).
    ///
    /// Query and fragment have no effect.
    func isAt(_ address: String) -> Bool { Place(address) == place }

    private struct Place: Equatable {
        let scheme: String
        let host: String
        let port: Int?
        /// Between the slashes, so that an encoded slash stays distinct.
        let path: [String]

        private static let defaultPorts = ["https": 443, "http": 80]

        init(scheme: String, host: String, port: Int?, path: [String]) {
            (self.scheme, self.host, self.port, self.path) = (scheme, host, port, path)
        }

        init?(_ address: String) {
            guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
                let host = parts.host?.lowercased(), !host.isEmpty, parts.user == nil
            else { return nil }
            let segments = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false)
            self.init(
                scheme: scheme, host: host, port: parts.port ?? Self.defaultPorts[scheme],
                path: segments.map { $0.removingPercentEncoding ?? String($0) })
        }
    }
}
