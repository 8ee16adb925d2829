/// The stable name of a provider in requests, rows and metrics: `apple`, `google`, `acme`.
///
/// Every linked identity contains it, so renaming a provider orphans its identities.
package struct ProviderID: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    package let rawValue: String

    package var description: String { rawValue }

    /// Accepts only `^[a-z][a-z0-9_-]{0,31}$`: the text becomes a path segment and a metric label.
    package init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard (1...32).contains(bytes.count), Self.isLetter(bytes[0]) else { return nil }
        guard bytes.allSatisfy({ Self.isLetter($0) || Self.isOther($0) }) else { return nil }
        self.rawValue = rawValue
    }

    package init(known: String) {
        rawValue = known
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isOther(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
