/// A page of the console or below the account page, an app's stored request, or the page for the code of a device, to which
/// the browser returns after the sign-in.
///
/// It is built from segments and a query that are checked one by one. So it can name no other host, page or header.
package struct ReturnPath: Sendable, Equatable {
    package let text: String

    /// Whether it is the request of an app, or of a device: the session is the browser's, and gives the app one of its own.
    package var isRequest: Bool {
        text.hasPrefix("/\(Self.authorize)?") || text == "/\(Self.device)" || text.hasPrefix("/\(Self.device)?")
    }

    private static let root = "admin"
    private static let clients = "clients"
    private static let account = "account"
    private static let authorize = "authorize"
    private static let device = "device"
    private static let longest = 512
    private static let mostSegments = 6

    /// Nil for any other address.
    package init?(_ asked: String) {
        guard (1...Self.longest).contains(asked.utf8.count) else { return nil }
        let halves = asked.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = halves.first, let segments = Self.segments(of: path) else { return nil }
        var text = "/" + segments.joined(separator: "/")
        if halves.count > 1 {
            guard let query = Self.query(halves[1]) else { return nil }
            text += "?\(query)"
        }
        self.text = text
    }

    private static func segments(of path: Substring.UTF8View) -> [String]? {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count >= 2, parts[0].isEmpty, parts.count - 1 <= mostSegments else { return nil }
        let segments = parts.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        // The admin API has no pages.
        guard
            segments.count == 2 && segments[0] == account || segments == [authorize] || segments == [device]
                || segments[0] == root && (segments.count < 2 || segments[1] != "api"),
            zip(segments.indices, parts.dropFirst()).allSatisfy({ index, part in
                isPlain(part, isClient: index == 2 && segments[1] == clients)
            })
        else { return nil }
        return segments
    }

    /// A query in the form that our pages write: other characters are escaped, and each escape is complete.
    private static func query(_ bytes: Substring.UTF8View) -> String? {
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(isHexDigit) else { return nil }
                rest = rest.dropFirst(2)
            case 0x41...0x5A, UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "*"):
                continue
            default:
                guard isPlain(byte) else { return nil }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A page's name or an id; a client's id may contain dots, but not begin with one.
    private static func isPlain(_ segment: Substring.UTF8View, isClient: Bool) -> Bool {
        guard let first = segment.first else { return false }
        guard isClient else { return segment.allSatisfy(isPlain) }
        return isLetterOrDigit(first) && segment.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte != UInt8(ascii: "-") && isPlain(byte) || (0x41...0x5A).contains(byte)
    }

    /// The characters of ids and page names.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
