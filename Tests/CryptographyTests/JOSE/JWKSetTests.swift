import JSON
import Testing

@testable import Cryptography

@Suite("Key sets")
struct JWKSetTests {
    private static let accepted: Set<SignatureAlgorithm> = [.RS256, .ES256]

    private static func rsa(_ id: String?) throws -> JSON {
        var members = try #require(TestKeys.rsa.get().publicKey.jwk(id: id ?? "", algorithm: .RS256).object)
        members["kid"] = id.map(JSON.string)
        return .object(members)
    }

    private static func ec(_ id: String) throws -> JSON {
        try TestKeys.p256.get().publicKey.jwk(id: id, algorithm: .ES256)
    }

    private static func set(_ keys: [JSON]) throws(JWKSetError) -> JWKSet {
        try JWKSet(parsing: JSON.object(["keys": .array(keys)]).bytes(), accepting: accepted)
    }

    @Test("a key is found by id and algorithm, without a default")
    func lookUp() throws {
        let set = try Self.set([try Self.rsa("a"), try Self.ec("b")])
        #expect(set.keyIDs == ["a", "b"])
        #expect(set.key(id: "a", algorithm: .RS256) != nil)
        #expect(set.key(id: "b", algorithm: .ES256) != nil)
        for (id, algorithm) in [
            ("a", SignatureAlgorithm.ES256), ("a", .PS256), ("b", .RS256), ("c", .RS256), ("", .RS256),
        ] {
            #expect(set.key(id: id, algorithm: algorithm) == nil)
        }
    }

    @Test("a key without an algorithm works only with the accepted algorithms of the set")
    func withoutAlgorithm() throws {
        var key = try #require(try Self.rsa("a").object)
        key["alg"] = JSON?.none
        let set = try Self.set([.object(key)])
        #expect(set.key(id: "a", algorithm: .RS256) != nil)
        #expect(set.key(id: "a", algorithm: .PS256) == nil)
        let wider = try JWKSet(
            parsing: JSON.object(["keys": [.object(key)]]).bytes(), accepting: [.RS256, .PS256])
        #expect(wider.key(id: "a", algorithm: .PS256) != nil)
    }

    @Test("unusable members are skipped and do not fail the set")
    func skipping() throws {
        let odd: [JSON] = [
            nil, 7, "x", [], [:], ["kty": "OKP", "kid": "z"], ["kty": "RSA", "kid": "s", "n": "AQAB", "e": "AQAB"],
            ["kty": "oct", "k": "AAAA", "kid": "a"],
        ]
        var encryption = try #require(try Self.rsa("a").object)
        encryption["use"] = "enc"
        let set = try Self.set(odd + [.object(encryption), try Self.rsa("a"), try Self.rsa(nil)] + odd)
        #expect(set.keyIDs == ["a"])
        #expect(!set.hasAmbiguity)
    }

    @Test("J-13: two keys with the same id and algorithm are both omitted and reported")
    func ambiguous() throws {
        let set = try Self.set([try Self.rsa("a"), try Self.ec("b"), try Self.rsa("a")])
        #expect(set.hasAmbiguity)
        #expect(set.ambiguousKeyIDs == ["a"])
        #expect(set.keyIDs == ["b"])
        #expect(set.key(id: "a", algorithm: .RS256) == nil)
    }

    @Test("J-13: keys of different kinds may share an id")
    func sameIDOtherKind() throws {
        let set = try Self.set([try Self.rsa("a"), try Self.ec("a")])
        #expect(!set.hasAmbiguity)
        #expect(set.key(id: "a", algorithm: .RS256) != nil)
        #expect(set.key(id: "a", algorithm: .ES256) != nil)
    }

    @Test("J-13: an empty set is read and reported as empty")
    func empty() throws {
        #expect(try Self.set([]).isEmpty)
        #expect(try Self.set([["kty": "OKP"]]).isEmpty)
    }

    @Test(
        "J-13: any other text than a key set is refused",
        arguments: [
            ("", .malformed(.unexpectedEnd)), ("<html>", .malformed(.unexpectedByte)), ("[]", .notAKeySet),
            ("{}", .notAKeySet), (#"{"keys":{}}"#, .notAKeySet), (#"{"keys":null}"#, .notAKeySet),
            (#"{"keys":[],"keys":[]}"#, .malformed(.duplicateName)),
            (#"{"keys":[{"kid":"a","kid":"b"}]}"#, .malformed(.duplicateName)),
        ] as [(String, JWKSetError)])
    func refused(text: String, error: JWKSetError) {
        #expect(throws: error) { try JWKSet(parsing: Array(text.utf8), accepting: Self.accepted) }
    }

    @Test("J-13: the limit is 256 KiB, and ten megabytes are refused unread")
    func size() throws {
        let large = [UInt8](repeating: UInt8(ascii: " "), count: 10 << 20)
        #expect(throws: JWKSetError.malformed(.tooLarge)) { try JWKSet(parsing: large, accepting: Self.accepted) }
        let text = Array(#"{"keys":[]}"#.utf8)
        let padding = [UInt8](repeating: UInt8(ascii: " "), count: 256 * 1024 - text.count)
        #expect(throws: Never.self) { try JWKSet(parsing: text + padding, accepting: Self.accepted) }
        #expect(throws: JWKSetError.malformed(.tooLarge)) {
            try JWKSet(parsing: text + padding + [0x20], accepting: Self.accepted)
        }
    }

    @Test("the limit is a hundred keys")
    func count() {
        #expect(throws: Never.self) { try Self.set(Array(repeating: [:], count: 100)) }
        #expect(throws: JWKSetError.tooManyKeys(count: 101)) { try Self.set(Array(repeating: [:], count: 101)) }
    }
}
