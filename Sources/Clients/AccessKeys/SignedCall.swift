import Cryptography

/// The parts of an HTTP request that its signature covers.
package struct SignedCall: Sendable {
    let method: String
    /// The path with its query, as sent.
    let target: String
    /// The values of each header, by its name in lower case.
    let headers: [String: [String]]
    /// The SHA-256 of the body.
    let bodyDigest: [UInt8]

    /// - Parameter headers: with `host`, in any case.
    package init(method: String, target: String, headers: [(name: String, value: String)], body: Span<UInt8>) {
        (self.method, self.target, bodyDigest) = (method, target, SHA256.hash(body))
        self.headers = Dictionary(headers.map { ($0.name.lowercased(), [$0.value]) }) { $0 + $1 }
    }

    /// The only value of a header; nil if it is absent or repeated.
    func single(_ name: String) -> String? {
        guard let values = headers[name], values.count == 1 else { return nil }
        return values[0]
    }

    /// The line of a header in the canonical request; nil if it is absent.
    func canonical(_ name: String) -> String? {
        headers[name].map { values in
            let trimmed = values.map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ") }
            return "\(name):\(trimmed.joined(separator: ","))\n"
        }
    }
}
