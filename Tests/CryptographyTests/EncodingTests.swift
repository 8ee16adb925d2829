import FoundationEssentials
import JSON
import Testing

@testable import Cryptography

@Suite("Encodings")
struct EncodingTests {
    @Test(
        "base64url gives the values of RFC 4648 §10 without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test("base64url uses the two characters that are safe in URLs")
    func alphabet() {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_8") == [0xFB, 0xFF])
    }

    @Test("every byte survives base64url, at every length modulo three", arguments: 254...258)
    func roundTrip(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test(
        "one text has one spelling in base64url",
        arguments: [
            "Z", "Zg==", "Zg=", "Zh", "Zm9", "Zm9vY", "+_8A", "-/8A", "Zm 9", "Zm9v\n", " Zm9v", "Zm9v.", "Zm9v\u{e9}",
            "Z\0",
        ])
    func strict(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("hexadecimal text is written in lower case and read in both")
    func hex() {
        #expect(Hex.encode([0x00, 0x9F, 0xAB]) == "009fab")
        #expect(Hex.decode("009fAB") == [0x00, 0x9F, 0xAB])
        #expect(Hex.decode("") == [])
        for text in ["0", "0g", "0x", " 00", "０0"] {
            #expect(Hex.decode(text) == nil)
        }
    }

    @Test("the id of RFC 9562 A.6 comes from its time and its random bits")
    func uuidVector() {
        let random = RandomBytes { _ in [0x0C, 0xC3, 0x18, 0xC4, 0xDC, 0x0C, 0x0C, 0x07, 0x39, 0x8F] }
        let id = UUID.v7(at: Date(timeIntervalSince1970: 1_645_557_742), random: random)
        #expect(id.text == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test("ids sort by time, and a date before 1970 does no harm")
    func uuidOrder() {
        let dates = [-1, 0, 0.001, 1, 1e9, 1e9 + 0.001].map { Date(timeIntervalSince1970: $0) }
        let ids = dates.map { UUID.v7(at: $0, random: RandomBytes { Array(repeating: 0, count: $0) }).text }
        #expect(ids == ids.sorted())
        #expect(Set(ids).count == 5)
    }
}
