import JSON
import Testing

@testable import Cryptography

@Suite("Parsing tokens")
struct JWTTests {
    @Test("a token has a header and claims")
    func parts() throws {
        let token = try TokenForge.token()
        let jwt = try JWT(parsing: token)
        #expect(jwt.algorithmName == "RS256")
        #expect(jwt.keyID == "k1")
        #expect(jwt.header == TokenForge.header())
        #expect(jwt.claims == TokenForge.claims())
        #expect(jwt.signedDigest == SHA256.hash(token.split(separator: ".")[..<2].joined(separator: ".")))
    }

    private static let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
    private static let claims = Base64URL.encode(Array("{}".utf8))

    @Test(
        "J-21: anything but three parts of canonical base64url is refused",
        arguments: [
            "x", ".", "..", "...", "\(header)", "\(header).\(claims)", "\(header).\(claims).AA.",
            ".\(header).\(claims).AA",
            "\(header).\(claims).AA.AA.AA", "\(header)..AA", ".\(claims).AA", "\(header)=.\(claims).AA",
            "\(header).\(claims).AA==", "\(header).\(claims).AB", "\(header).\(claims).A", " \(header).\(claims).AA",
            "\(header).\(claims).AA\n", "\(header). \(claims).AA", "\(header).\(claims).+/8",
            "\(header).\(claims).AA\0",
            "\(header).\(claims).ＡＡ", "{\"payload\":\"\"}",
        ])
    func malformed(token: String) {
        #expect(throws: TokenRefusal.tokenMalformed) { try JWT(parsing: token) }
    }

    @Test(
        "J-21: parts that are not strict JSON objects are refused",
        arguments: [
            [0xFF], Array("[]".utf8), Array("1".utf8), Array("\"{}\"".utf8), Array("null".utf8), Array("{".utf8),
            Array("{} ".utf8) + [0], [0xEF, 0xBB, 0xBF] + Array("{}".utf8), [0x7B, 0x00, 0x7D, 0x00],
            Array(#"{"a":1,"a":1}"#.utf8), Array(#"{"sub":1,"\u0073ub":1}"#.utf8), Array(#"{"a":"\ud800"}"#.utf8),
            Array(#"{"a":"\u0000"}"#.utf8), Array("{\"a\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8),
            Array((#"{"a":"# + String(repeating: "[", count: 16) + String(repeating: "]", count: 16) + "}").utf8),
            Array(("{" + (0...200).map { "\"m\($0)\":0" }.joined(separator: ",") + "}").utf8),
        ] as [[UInt8]])
    func malformedJSON(part: [UInt8]) {
        #expect(throws: TokenRefusal.jsonMalformed) {
            try JWT(parsing: "\(Self.header).\(Base64URL.encode(part)).AA")
        }
        #expect(throws: TokenRefusal.jsonMalformed) {
            try JWT(parsing: "\(Base64URL.encode(part)).\(Self.claims).AA")
        }
    }

    @Test("J-21: a token of the allowed length is read, one byte more and one megabyte are not")
    func length() throws {
        #expect(throws: TokenRefusal.tokenMissing) { try JWT(parsing: "") }
        let token = "\(Self.header).\(Self.claims).AA"
        #expect(throws: Never.self) { try JWT(parsing: token, maximumLength: token.utf8.count) }
        #expect(throws: TokenRefusal.tokenTooLarge) { try JWT(parsing: token, maximumLength: token.utf8.count - 1) }
        let long = String(repeating: "A", count: 1 << 20)
        #expect(throws: TokenRefusal.tokenTooLarge) { try JWT(parsing: long) }
    }

    @Test("J-21: a malformed token is refused before any costly work")
    func cost() {
        let nested = Base64URL.encode(Array((String(repeating: "[", count: 10_000)).utf8))
        let tokens = [
            String(repeating: "A", count: 1 << 20), String(repeating: ".", count: 1 << 20),
            String(repeating: ".", count: 16_384), "\(Self.header).\(nested).AA",
        ]
        for token in tokens {
            let durations = (0..<5).map { _ in
                ContinuousClock().measure {
                    #expect(throws: TokenRefusal.self) { try JWT(parsing: token) }
                }
            }
            // The fastest of five, because others may have been interrupted. The bound allows for a debug build on a
            // busy machine: quadratic work would take minutes.
            #expect(durations.min().map { $0 < .milliseconds(200) } ?? false)
        }
    }

    @Test("a header of 2 KiB is read, a longer one is not")
    func headerLength() throws {
        func token(_ length: Int) throws -> String {
            let padding = String(repeating: "x", count: length - #"{"alg":"RS256","x":""}"#.utf8.count)
            let header = Array(#"{"alg":"RS256","x":"\#(padding)"}"#.utf8)
            try #require(header.count == length)
            return "\(Base64URL.encode(header)).\(Self.claims).AA"
        }
        #expect(throws: Never.self) { try JWT(parsing: try token(2048)) }
        #expect(throws: TokenRefusal.tokenMalformed) { try JWT(parsing: try token(2049)) }
    }
}
