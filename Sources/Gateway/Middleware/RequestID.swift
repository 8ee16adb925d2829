import HTTPTypes
import Hummingbird

/// The id of a request in answers, logs and audit rows.
enum RequestIDs {
    static let header = HTTPField.Name.requestID

    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The id for logs, audit rows and problem documents: a new one, followed by a dot and the client's own id if that is
    /// harmless.
    ///
    /// The client's id alone could repeat that of another request.
    static func id(for headers: HTTPFields) -> String {
        let made = make()
        guard let given = given(headers) else { return made }
        return "\(made).\(given)"
    }

    /// The client's own id, which the answer's header repeats; nil if it is missing or not harmless.
    static func given(_ headers: HTTPFields) -> String? { headers.value(header).flatMap { isHarmless($0) ? $0 : nil } }

    /// Whether an id has 1 to 64 letters, digits, dots, underscores and hyphens, and does not look like a token.
    ///
    /// Such an id breaks no log line or header, and a secret in the wrong header is not logged.
    static func isHarmless(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count) && !Redaction.covers(id)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// 13 random letters and digits: 64 bits, so that no two requests share an id.
    static func make() -> String {
        var bits = UInt64.random(in: .min ... .max)
        return String(
            decoding: (0..<13).map { _ in
                defer { bits >>= 5 }
                return letters[Int(bits & 31)]
            }, as: UTF8.self)
    }
}

extension HTTPField.Name {
    static let requestID = known("X-Request-Id")

    /// A header name from the source code.
    ///
    /// An invalid name becomes `Invalid-Name`, which a test would notice. The last fallback cannot be reached.
    static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? HTTPField.Name("Invalid-Name") ?? .date
    }
}
