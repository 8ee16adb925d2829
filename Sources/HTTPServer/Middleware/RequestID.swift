package import HTTPTypes
import Hummingbird
import Synchronization
import Telemetry
import Vocabulary

/// The id of a request in answers, logs and audit rows.
enum RequestIDs {
    static let header = HTTPField.Name.requestID

    private static let start = UInt64.random(in: .min ... .max)
    private static let count = Atomic<UInt64>(0)

    /// The id for logs, audit rows and problem documents: a new one, followed by a dot and the client's own id if that is
    /// harmless.
    ///
    /// The client's id alone could repeat that of another request.
    ///
    /// - Parameter given: the client's own id, see ``given(_:)``.
    static func id(after given: String?) -> String {
        let made = make()
        return given.map { "\(made).\($0)" } ?? made
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

    /// 13 letters and digits: 64 bits, so that no two requests share an id.
    ///
    /// They count from a random start, mixed so that neighbours look different. An id is no secret, and a random number for
    /// each request would be a call of the system.
    static func make() -> String {
        var bits = mixed(start &+ count.wrappingAdd(1, ordering: .relaxed).newValue)
        return unsafe String(unsafeUninitializedCapacity: RequestReference.length) { text in
            for place in 0..<RequestReference.length {
                unsafe text[place] = RequestReference.letters[Int(bits & 31)]
                bits >>= 5
            }
            return RequestReference.length
        }
    }

    /// The finaliser of SplitMix64: different numbers stay different.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension HTTPField.Name {
    static let requestID = known("X-Request-Id")

    /// A header name from the source code.
    ///
    /// An invalid name becomes `Invalid-Name`, which a test would notice. The last fallback cannot be reached.
    package static func known(_ name: String) -> HTTPField.Name {
        HTTPField.Name(name) ?? HTTPField.Name("Invalid-Name") ?? .date
    }
}
