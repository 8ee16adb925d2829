import Cryptography
import JSON
import Testing
import WebAuthnTestAuthenticator

@testable import WebAuthn

/// Random input is refused by name, without a crash.
@Suite("Arbitrary input")
struct FuzzTests {
    private static let parts = ["clientDataJSON", "authenticatorData", "signature", "userHandle"]

    private func bytes(_ name: String, of response: JSON) throws -> [UInt8] {
        let text = try #require(response["response"]?[name]?.string)
        return try #require(Base64URL.decode(text))
    }

    private func replacing(_ name: String, of response: JSON, with bytes: [UInt8]) throws -> JSON {
        var members = try #require(response.object)
        members.change(name, in: "response", to: .string(Base64URL.encode(bytes)))
        return .object(members)
    }

    private func assertion() throws -> JSON {
        var authenticator = try Fixture.authenticator(signCount: 9)
        return try authenticator.assert(challenge: Fixture.challengeBytes)
    }

    private func registration() throws -> JSON {
        try Fixture.authenticator().register(challenge: Fixture.challengeBytes) {
            $0.attestation = .packedSelf(algorithm: -7)
            $0.authenticatorData.flags |= AuthenticatorDataDraft.Flag.extensions
            $0.authenticatorData.extensions = .map([(.text("credProtect"), .integer(2))])
        }
    }

    @Test("no bit of an assertion may change", arguments: parts)
    func flippedAssertion(part: String) throws {
        let valid = try assertion()
        #expect(try Fixture.verify(valid).signCount == 10)
        let original = try bytes(part, of: valid)
        for bit in 0..<(8 * original.count) {
            let altered = try replacing(part, of: valid, with: original.flipping(bit))
            #expect(throws: WebAuthnError.self, "bit \(bit)") { try Fixture.verify(altered) }
        }
    }

    @Test("no bit of an assertion's credential id may change")
    func flippedID() throws {
        let id = try Fixture.authenticator().credentialID
        let assertion = try assertion()
        var members = try #require(assertion.object)
        for bit in 0..<(8 * id.count) {
            let altered = JSON.string(Base64URL.encode(id.flipping(bit)))
            members["id"] = altered
            members["rawId"] = altered
            #expect(throws: WebAuthnError.credentialIDMismatch, "bit \(bit)") { try Fixture.verify(.object(members)) }
        }
    }

    @Test("an assertion cut off anywhere is refused", arguments: parts)
    func truncatedAssertion(part: String) throws {
        let valid = try assertion()
        let original = try bytes(part, of: valid)
        for length in original.indices {
            let altered = try replacing(part, of: valid, with: Array(original[..<length]))
            #expect(throws: WebAuthnError.self, "\(length) bytes") { try Fixture.verify(altered) }
        }
    }

    @Test("no bit of a self-signed registration may change")
    func flippedRegistration() throws {
        let valid = try registration()
        #expect(try Fixture.register(valid).attestationTrust == .selfSigned)
        for part in ["clientDataJSON", "attestationObject"] {
            let original = try bytes(part, of: valid)
            for bit in 0..<(8 * original.count) {
                let altered = try replacing(part, of: valid, with: original.flipping(bit))
                #expect(throws: WebAuthnError.self, "\(part) bit \(bit)") { try Fixture.register(altered) }
            }
        }
    }

    @Test("a registration cut off anywhere, or with anything behind it, is refused")
    func truncatedRegistration() throws {
        let valid = try registration()
        for part in ["clientDataJSON", "attestationObject"] {
            let original = try bytes(part, of: valid)
            for length in original.indices {
                let altered = try replacing(part, of: valid, with: Array(original[..<length]))
                #expect(throws: WebAuthnError.self, "\(part) \(length) bytes") { try Fixture.register(altered) }
            }
            for byte in UInt8.min...UInt8.max {
                let altered = try replacing(part, of: valid, with: original + [byte])
                #expect(throws: WebAuthnError.self, "\(part) \(byte)") { try Fixture.register(altered) }
            }
        }
    }

    @Test("authenticator data cut off or lengthened anywhere is not read")
    func authenticatorData() throws {
        let object = try AttestationObject(bytes("attestationObject", of: registration()))
        let original = object.authenticatorData.bytes
        for length in original.indices {
            #expect(throws: WebAuthnError.self, "\(length)") { try AuthenticatorData(Array(original[..<length])) }
        }
        #expect(throws: WebAuthnError.authenticatorDataMalformed) { try AuthenticatorData(original + [0]) }
    }

    @Test("random bytes are not an attestation object", arguments: 0..<8 as Range<UInt64>)
    func randomObjects(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = random.bytes(upTo: 300)
            #expect(throws: WebAuthnError.self) { try AttestationObject(bytes) }
        }
    }

    @Test(
        "random bytes are read as CBOR or refused, and round-trip unchanged",
        arguments: 0..<8 as Range<UInt64>)
    func randomCBOR(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<20_000 {
            let bytes = random.bytes(upTo: 12)
            guard let value = try? CBOR(parsing: bytes) else { continue }
            read += 1
            #expect(value.item.encoded == bytes)
        }
        #expect(read > 0)
    }

    @Test("random changes of a registration are never accepted", arguments: 0..<4 as Range<UInt64>)
    func changes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let valid = try registration()
        let original = try bytes("attestationObject", of: valid)
        for _ in 0..<500 {
            var altered = original
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                altered[Int.random(in: altered.indices, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            guard altered != original else { continue }
            let response = try replacing("attestationObject", of: valid, with: altered)
            #expect(throws: WebAuthnError.self) { try Fixture.register(response) }
        }
    }

    @Test(
        "random authenticator data with a valid hash is read to its last byte or refused",
        arguments: 0..<8 as Range<UInt64>)
    func randomAuthenticatorData(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let bytes = SHA256.hash("example.com") + random.bytes(upTo: 120)
            guard let data = try? AuthenticatorData(bytes) else { continue }
            #expect(data.bytes == bytes)
            #expect(data.attestedCredential == nil)
        }
    }
}

extension CBOR {
    /// The value for a writer that is independent of the reader.
    fileprivate var item: CBORItem {
        switch self {
        case .integer(let value): .integer(value)
        case .bytes(let bytes): .bytes(bytes)
        case .text(let text): .text(text)
        case .array(let elements): .array(elements.map(\.item))
        case .map(let entries): .map(entries.map { ($0.key.item, $0.value.item) })
        case .bool(let value): .bool(value)
        case .null: .raw([0xF6])
        }
    }
}

/// SplitMix64: the seed reproduces a failure.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func bytes(upTo longest: Int) -> [UInt8] {
        (0..<Int.random(in: 0...longest, using: &self)).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
