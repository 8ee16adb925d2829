import Cryptography
import JSON
import Testing
import WebAuthn

@Suite("Options for browsers")
struct OptionsTests {
    private func challenge() throws -> Challenge {
        try #require(Challenge(Array("a challenge of enough bytes".utf8)))
    }

    private func user() throws -> UserEntity {
        try #require(UserEntity(handle: [0xFB, 0xFF], name: "ann@example.com", displayName: "Ann"))
    }

    @Test("creation options have the members of the standard")
    func creation() throws {
        let challenge = try challenge()
        let options = CreationOptions(
            user: try user(), challenge: challenge,
            excludedCredentials: [
                .init(id: [1, 2, 3], transports: ["internal", "hybrid"]), .init(id: [4], transports: []),
            ],
            hints: [.clientDevice, .securityKey, .hybrid])
        let expected: JSON = [
            "rp": ["id": "example.com", "name": "Example"],
            "user": ["id": "-_8", "name": "ann@example.com", "displayName": "Ann"],
            "challenge": .string(Base64URL.encode(challenge.bytes)),
            "pubKeyCredParams": [
                ["type": "public-key", "alg": -7], ["type": "public-key", "alg": -8],
                ["type": "public-key", "alg": -257],
            ],
            "timeout": 300_000,
            "excludeCredentials": [
                ["type": "public-key", "id": "AQID", "transports": ["internal", "hybrid"]],
                ["type": "public-key", "id": "BA"],
            ],
            "authenticatorSelection": [
                "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
            ],
            "attestation": "none",
            "hints": ["client-device", "security-key", "hybrid"],
        ]
        #expect(options.json(for: try Fixture.relyingParty()) == expected)
    }

    @Test("a statement is requested in the supported format")
    func direct() throws {
        let relyingParty = try Fixture.relyingParty(attestation: .direct(roots: [], requiresKnownRoot: false))
        let options = CreationOptions(
            user: try user(), challenge: try challenge(), residentKey: .preferred, userVerification: .discouraged)
        let json = options.json(for: relyingParty)
        #expect(json["attestation"] == "direct")
        #expect(json["attestationFormats"] == ["packed"])
        #expect(json["hints"] == nil)
        #expect(json["excludeCredentials"] == [])
        let selection: JSON = [
            "residentKey": "preferred", "requireResidentKey": false, "userVerification": "discouraged",
        ]
        #expect(json["authenticatorSelection"] == selection)
    }

    @Test("request options have the members of the standard")
    func request() throws {
        let challenge = try challenge()
        let relyingParty = try Fixture.relyingParty()
        let expected: JSON = [
            "challenge": .string(Base64URL.encode(challenge.bytes)), "timeout": 1_500, "rpId": "example.com",
            "allowCredentials": [["type": "public-key", "id": "AQ", "transports": ["usb"]]],
            "userVerification": "preferred", "hints": ["hybrid"],
        ]
        let options = RequestOptions(
            challenge: challenge, allowedCredentials: [.init(id: [1], transports: ["usb"])],
            userVerification: .preferred, hints: [.hybrid], timeout: .milliseconds(1_500))
        #expect(options.json(for: relyingParty) == expected)
        let open = RequestOptions(challenge: challenge).json(for: relyingParty)
        #expect(open["allowCredentials"] == [])
        #expect(open["userVerification"] == "required")
    }

    @Test(
        "a challenge has 16 to 512 bytes", arguments: [(0, false), (15, false), (16, true), (512, true), (513, false)])
    func challengeLength(count: Int, isValid: Bool) {
        #expect((Challenge([UInt8](repeating: 1, count: count)) != nil) == isValid)
    }

    @Test("a user handle has 1 to 64 bytes", arguments: [(0, false), (1, true), (64, true), (65, false)])
    func handleLength(count: Int, isValid: Bool) {
        let user = UserEntity(handle: [UInt8](repeating: 1, count: count), name: "a", displayName: "")
        #expect((user != nil) == isValid)
    }
}
