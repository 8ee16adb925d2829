import HTTPTypes
import Hummingbird
import Synchronization

/// The id that follows a request through answers and logs.
enum RequestIDs {
    static let header = HTTPField.Name.requestID

    private static let start = UInt64.random(in: .min ... .max)
    private static let counter = Atomic<UInt64>(0)
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// The id in logs, audit rows and problem documents: a new one, with the caller's own behind a dot where that is
    /// harmless.
    ///
    /// The caller's alone would let anybody give many requests one id, or one that is in the log already.
    static func id(for headers: HTTPFields) -> String {
        let made = make()
        guard let given = given(headers) else { return made }
        return "\(made).\(given)"
    }

    /// The caller's own id, which the answer's header repeats as it came; nil without one, and where it is not harmless.
    static func given(_ headers: HTTPFields) -> String? { headers.value(header).flatMap { isHarmless($0) ? $0 : nil } }

    /// 1 to 64 letters, digits, dots, underscores and hyphens, and nothing in it that looks like a token.
    ///
    /// So nothing breaks a log line or a header, and no secret that was sent under the wrong name stands in the log, an
    /// audit row or a problem document.
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

    /// 13 letters from a counter that starts at random, stirred so that ids of neighbours look nothing alike.
    ///
    /// They are unique within a process and no secret.
    static func make() -> String {
        var bits = stirred(start &+ counter.wrappingAdd(1, ordering: .relaxed).newValue)
        return unsafe String(unsafeUninitializedCapacity: 13) { text in
            for place in 0..<13 {
                unsafe text[place] = letters[Int(bits & 31)]
                bits >>= 5
            }
            return 13
        }
    }

    /// The finaliser of SplitMix64: a bijection, so different counts never meet.
    private static func stirred(_ value: UInt64) -> UInt64 {
        var z = value &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension HTTPField.Name {
    static let requestID = known("X-Request-Id")

    /// A name written in our own source.
    ///
    /// Should it be no token, the header would be called `Invalid-Name`, which a test would see; the last fallback
    /// can't be reached.
    static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? HTTPField.Name("Invalid-Name") ?? .date
    }
}
