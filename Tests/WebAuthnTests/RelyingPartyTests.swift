import Cryptography
import JSON
import Testing
import WebAuthn
import WebAuthnTestAuthenticator

@Suite("The relying party")
struct RelyingPartyTests {
    private func make(
        id: String = "example.com", name: String = "Example", origins: [String] = ["https://example.com"],
        crossOrigin: RelyingParty.CrossOrigin = .refused, attestation: RelyingParty.Attestation = .none
    ) throws -> RelyingParty {
        try RelyingParty(id: id, name: name, origins: origins, crossOrigin: crossOrigin, attestation: attestation)
    }

    @Test(
        "an id is a domain", arguments: ["example.com", "localhost", "a.b.c.example", "xn--bcher-kva.example", "1a.de"])
    func ids(id: String) throws {
        #expect(try make(id: id).id == id)
    }

    @Test(
        "an invalid domain is refused as an id",
        arguments: [
            "", "Example.com", "example.com.", ".example.com", "a..b", "-a.com", "a-.com", "https://example.com",
            "example.com:443", "example.com/", "192.168.0.1", "b\u{FC}cher.example", "a b", "a_b.com",
            String(repeating: "a", count: 64) + ".com", String(repeating: "a.", count: 127) + "com",
        ])
    func noIDs(id: String) {
        #expect(throws: RelyingPartyProblem.idMalformed) { try make(id: id) }
    }

    @Test(
        "origins are those of websites, iOS apps and Android apps",
        arguments: [
            "https://example.com", "https://login.example.com:8443", "http://localhost", "http://localhost:8080",
            "https://localhost:8443", "https://other.test",
            "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 32)),
            "android:apk-key-hash:" + Base64URL.encode([UInt8](repeating: 7, count: 20)),
            "android:apk-key-hash-sha256:" + Base64URL.encode([UInt8](repeating: 7, count: 32)),
        ])
    func origins(origin: String) throws {
        var authenticator = try Fixture.authenticator()
        authenticator.origin = origin
        let response = try authenticator.register(challenge: Fixture.challengeBytes)
        #expect(
            try Fixture.register(response, relyingParty: make(origins: ["https://a.example", origin])).signCount == 0)
        #expect(throws: WebAuthnError.originMismatch) {
            try Fixture.register(response, relyingParty: make(origins: ["https://a.example"]))
        }
    }

    @Test(
        "an impossible origin is a configuration error",
        arguments: [
            "", "example.com", "https://", "https://example.com/", "https://Example.com", "https://example.com:443",
            "https://example.com:0", "https://example.com:08443", "https://example.com:65536", "https://example.com:",
            "https://example.com:1:2", "http://example.com", "http://localhost:80", "http://localhost.evil.example",
            "https://user@example.com", "https://*.example.com", "https://example.com?x", "null",
            "android:apk-key-hash:", "android:apk-key-hash:AAAA",
            "android:apk-key-hash:" + String(repeating: "=", count: 43),
            "ios:bundle-id:com.example",
        ])
    func noOrigins(origin: String) {
        #expect(throws: RelyingPartyProblem.originMalformed(origin)) {
            try make(origins: ["https://example.com", origin])
        }
        #expect(throws: RelyingPartyProblem.originMalformed(origin)) {
            try make(crossOrigin: .accepted(topOrigins: [origin]))
        }
    }

    @Test("required options are present")
    func missing() {
        #expect(throws: RelyingPartyProblem.nameMissing) { try make(name: "") }
        #expect(throws: RelyingPartyProblem.originsMissing) { try make(origins: []) }
        #expect(throws: RelyingPartyProblem.rootsMissing) {
            try make(attestation: .direct(roots: [], requiresKnownRoot: true))
        }
    }

    @Test("a frame of another origin is accepted if configured, by its top origin if stated")
    func crossOrigin() throws {
        let relyingParty = try Fixture.relyingParty(crossOrigin: .accepted(topOrigins: ["https://shop.example"]))
        func register(_ isCrossOrigin: Bool, _ topOrigin: JSON?) throws -> RegisteredCredential {
            let response = try Fixture.authenticator().register(challenge: Fixture.challengeBytes) {
                $0.clientData["crossOrigin"] = .bool(isCrossOrigin)
                $0.clientData["topOrigin"] = topOrigin
            }
            return try Fixture.register(response, relyingParty: relyingParty)
        }
        for (isCrossOrigin, topOrigin) in [(false, nil), (true, nil), (true, "https://shop.example")] as [(Bool, JSON?)]
        {
            #expect(try register(isCrossOrigin, topOrigin).signCount == 0)
        }
        #expect(throws: WebAuthnError.topOriginMismatch) { try register(true, "https://evil.example") }
        #expect(throws: WebAuthnError.topOriginMismatch) { try register(true, .string(Fixture.origin)) }
        #expect(throws: WebAuthnError.clientDataMalformed) { try register(false, "https://shop.example") }
    }
}
