/// A network such as `10.0.0.0/8` or `fd00::/8`, or a single IP address (RFC 4632, RFC 4291 section 2.3).
package struct NetworkRange: Sendable, Equatable {
    private let first: NetworkAddress
    /// The number of significant leading bits, of 128.
    private let bits: Int

    /// Fails for an invalid address or length, and for bits set after the length.
    ///
    /// `10.1.2.3/8` is more likely a mistake than a range.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = NetworkAddress(String(parts[0])), !parts[0].contains("%") else { return nil }
        let width = parts[0].contains(":") ? 128 : 32
        var length = width
        if parts.count == 2 {
            guard let number = Int(parts[1]), (0...width).contains(number), String(number) == parts[1] else {
                return nil
            }
            length = number
        }
        first = address
        bits = length + 128 - width
        guard address.keeping(bits: bits) == address else { return nil }
    }

    package func contains(_ address: NetworkAddress) -> Bool { address.keeping(bits: bits) == first }
}
