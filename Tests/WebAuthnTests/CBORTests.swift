import Cryptography
import Testing
import WebAuthnTestAuthenticator

@testable import WebAuthn

@Suite("CBOR")
struct CBORTests {
    /// RFC 8949, appendix A, as far as it is canonical; then the limits.
    private static let accepted: [(String, CBOR)] = [
        ("00", .integer(0)), ("01", .integer(1)), ("0a", .integer(10)), ("17", .integer(23)), ("1818", .integer(24)),
        ("1864", .integer(100)), ("1903e8", .integer(1000)), ("1a000f4240", .integer(1_000_000)),
        ("1b000000e8d4a51000", .integer(1_000_000_000_000)), ("20", .integer(-1)), ("29", .integer(-10)),
        ("3863", .integer(-100)), ("3903e7", .integer(-1000)), ("f4", .bool(false)), ("f5", .bool(true)),
        ("f6", .null), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")),
        ("6161", .text("a")), ("6449455446", .text("IETF")), ("62225c", .text("\"\\")), ("62c3bc", .text("\u{FC}")),
        ("63e6b0b4", .text("\u{6C34}")), ("64f0908591", .text("\u{10151}")), ("80", .array([])),
        ("83010203", .array([.integer(1), .integer(2), .integer(3)])), ("a0", .map([])),
        (
            "8301820203820405",
            .array([.integer(1), .array([.integer(2), .integer(3)]), .array([.integer(4), .integer(5)])])
        ),
        ("a201020304", map([(.integer(1), .integer(2)), (.integer(3), .integer(4))])),
        ("826161a161626163", .array([.text("a"), map([(.text("b"), .text("c"))])])),
        ("18ff", .integer(255)), ("190100", .integer(256)), ("19ffff", .integer(65_535)),
        ("1a00010000", .integer(65_536)), ("1affffffff", .integer(4_294_967_295)),
        ("1b0000000100000000", .integer(4_294_967_296)), ("1b7fffffffffffffff", .integer(.max)),
        ("3b7fffffffffffffff", .integer(.min)),
        // Numbers before texts, smaller before larger, positive before negative, shorter before longer.
        ("a500000a001818002000616100", sorted), ("8181818100", nested),
    ]

    private static let sorted = map(
        [.integer(0), .integer(10), .integer(24), .integer(-1), .text("a")].map { ($0, .integer(0)) })

    /// The deepest allowed nesting.
    private static let nested = CBOR.array([.array([.array([.array([.integer(0)])])])])

    private static func map(_ entries: [(CBOR, CBOR)]) -> CBOR {
        .map(entries.map { CBOR.Entry(key: $0.0, value: $0.1) })
    }

    private static let refused: [(String, CBORError.Problem)] = [
        ("", .unexpectedEnd), ("18", .unexpectedEnd), ("1901", .unexpectedEnd), ("1a010203", .unexpectedEnd),
        ("1b01020304050607", .unexpectedEnd), ("41", .unexpectedEnd), ("4201", .unexpectedEnd), ("61", .unexpectedEnd),
        ("81", .unexpectedEnd), ("8201", .unexpectedEnd), ("a1", .unexpectedEnd), ("a101", .unexpectedEnd),
        ("0000", .trailingBytes), ("f6f6", .trailingBytes), ("a000", .trailingBytes),
        ("1800", .notShortest), ("1817", .notShortest), ("190018", .notShortest), ("1900ff", .notShortest),
        ("1a0000ffff", .notShortest), ("1b00000000ffffffff", .notShortest), ("3817", .notShortest),
        ("580100", .notShortest), ("780161", .notShortest), ("980100", .notShortest), ("b8010000", .notShortest),
        ("5f41014102ff", .indefiniteLength), ("7f61616162ff", .indefiniteLength), ("9f01ff", .indefiniteLength),
        ("bf0102ff", .indefiniteLength), ("ff", .indefiniteLength), ("1f", .indefiniteLength),
        ("1b8000000000000000", .integerTooLarge), ("1bffffffffffffffff", .integerTooLarge),
        ("3b8000000000000000", .integerTooLarge), ("3bffffffffffffffff", .integerTooLarge),
        ("61ff", .invalidUTF8), ("62c080", .invalidUTF8), ("63eda080", .invalidUTF8),
        ("a140", .unexpectedEnd), ("a14000", .unsuitableKey), ("a18000", .unsuitableKey), ("a1f400", .unsuitableKey),
        ("a1a000", .unsuitableKey), ("a201000100", .duplicateKey), ("a2616100616100", .duplicateKey),
        ("a202000100", .unsortedKeys), ("a220000100", .unsortedKeys), ("a2616100010000", .unsortedKeys),
        ("a261620061610000", .unsortedKeys), ("a262616100616200", .unsortedKeys), ("a21818000000", .unsortedKeys),
        ("c074323031332d30332d32315432303a30343a30305a", .tag), ("c11a514b67b0", .tag), ("d74401020304", .tag),
        ("c249010000000000000000", .tag), ("f90000", .float), ("fa47c35000", .float), ("fb3ff199999999999a", .float),
        ("f7", .unassigned), ("f0", .unassigned), ("f818", .unassigned), ("f8ff", .unassigned), ("1c", .unassigned),
        ("5d", .unassigned), ("7e", .unassigned), ("fc", .unassigned),
        // Lengths without content.
        ("5b7fffffffffffffff", .unexpectedEnd), ("5bffffffffffffffff", .unexpectedEnd),
        ("7bffffffffffffffff", .unexpectedEnd), ("9bffffffffffffffff", .unexpectedEnd),
        ("bbffffffffffffffff", .unexpectedEnd), ("9affffffff00", .unexpectedEnd), ("ba7fffffff0000", .unexpectedEnd),
        // Depth and number of items.
        ("818181818100", .tooDeep), ("a100a100a100a100a10000", .tooDeep), ("8181818181", .tooDeep),
    ]

    @Test("canonical CBOR is read", arguments: accepted)
    func reads(hex: String, value: CBOR) throws {
        let bytes = try #require(Hex.decode(hex))
        #expect(try CBOR(parsing: bytes) == value)
    }

    @Test("non-canonical CBOR is refused", arguments: refused)
    func refuses(hex: String, problem: CBORError.Problem) throws {
        let bytes = try #require(Hex.decode(hex))
        let error = try #require(throws: CBORError.self) { try CBOR(parsing: bytes) }
        #expect(error.problem == problem)
        #expect(error.offset <= bytes.count)
    }

    @Test("nothing is built beyond the limits")
    func limits() throws {
        let elements = [UInt8](repeating: 0, count: 256)
        #expect(try CBOR(parsing: CBORItem.head(4, 255) + elements.dropLast()).array?.count == 255)
        var error = try #require(throws: CBORError.self) { try CBOR(parsing: CBORItem.head(4, 256) + elements) }
        #expect(error.problem == .tooManyItems)
        let bytes = CBORItem.bytes([UInt8](repeating: 0, count: 32 * 1024 - 3)).encoded
        #expect(try CBOR(parsing: bytes).bytes?.count == 32 * 1024 - 3)
        error = try #require(throws: CBORError.self) { try CBOR(parsing: bytes + [0]) }
        #expect(error.problem == .tooLarge)
    }

    @Test("the tables and the limits name every problem")
    func completeness() {
        let named = Self.refused.map(\.1) + [.tooManyItems, .tooLarge]
        #expect(CBORError.Problem.allCases.allSatisfy(named.contains))
    }

    @Test("a member is found by a text of the same bytes, or by a number")
    func members() throws {
        let value = Self.map([(.integer(-3), .bool(true)), (.text("\u{E9}"), .integer(1))])
        #expect(value[-3] == .bool(true))
        #expect(value["\u{E9}"] == .integer(1))
        #expect(value["e\u{301}"] == nil)
        #expect(value[3] == nil)
        #expect(CBOR.array([])["x"] == nil)
    }
}
