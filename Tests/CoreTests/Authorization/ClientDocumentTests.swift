import JSON
import TestSupport
import Testing

@testable import Clients

/// Client id metadata documents (draft-ietf-oauth-client-id-metadata-document-01), and registrations (RFC 7591).
@Suite struct ClientDocumentTests {
    static let address = "https://agent.example.com/oauth/client.json"

    private static func document(
        _ changes: JSONObject = [:], isTrusted: Bool = false
    ) throws -> ClientDocument {
        var json: JSONObject = [
            "client_id": .string(address), "client_name": "Example Agent",
            "redirect_uris": ["http://localhost/callback", "https://agent.example.com/cb"],
            "grant_types": ["authorization_code", "urn:example:other"], "logo_uri": "https://agent.example.com/l.png",
        ]
        for member in changes.members { json[member.name] = member.value }
        return try ClientDocument(parsing: JSON.object(json).bytes(), at: address, isTrusted: isTrusted)
    }

    @Test("A real document is read, and what is not offered has no effect")
    func sound() throws {
        let document = try Self.document()
        #expect(document.name == "Example Agent")
        #expect(document.redirectURIs == ["http://localhost/callback", "https://agent.example.com/cb"])
        #expect(try Self.document(["client_name": .null]).name == "agent.example.com")
        #expect(try Self.document(["client_name": "A\u{202E}\nB"]).name == "A B")
        #expect(try Self.document(["client_name": "\u{202E}\u{7}"]).name == "agent.example.com")
    }

    @Test("Another name, address, kind of subject or key is another app to the user; other members are not")
    func digest() throws {
        let digest = try Self.document().digest
        #expect(try Self.document(["logo_uri": "https://agent.example.com/m.png"]).digest == digest)
        #expect(try Self.document(["client_name": "Other"]).digest != digest)
        #expect(try Self.document(["redirect_uris": ["http://localhost/other"]]).digest != digest)
        #expect(try Self.document(["subject_type": "pairwise"]).digest != digest)
        #expect(try Self.document(["subject_type": "public"]).digest == digest)
        let keyed = try Self.document(Self.keyed("https://agent.example.com/keys")).digest
        #expect(try Self.document(Self.keyed("https://agent.example.com/k")).digest != keyed && keyed != digest)
        // Without the method the keys are for something else.
        #expect(try Self.document(["jwks_uri": "https://agent.example.com/keys"]).digest == digest)
    }

    private static func keyed(_ address: String) -> JSONObject {
        ["token_endpoint_auth_method": "private_key_jwt", "jwks_uri": .string(address)]
    }

    @Test("A document proves its app by keys or by their address, and by no secret (§4.1)")
    func keys() throws {
        let listed: JSON = ["keys": [try AssertionKey("k1").jwk]]
        let document = try Self.document(["token_endpoint_auth_method": "private_key_jwt", "jwks": listed])
        #expect(document.openID.json == ["jwks": listed])
        var keyed = Self.keyed("https://k.example/")
        #expect(try Self.document(keyed).openID.json == ["jwks_uri": "https://k.example/"])
        keyed["subject_type"] = "pairwise"
        let both: JSON = ["subject_type": "pairwise", "jwks_uri": "https://k.example/"]
        #expect(try Self.document(keyed).openID.json == both)
        #expect(try Self.document().openID == .standard)
    }

    @Test("Addresses on other sites and of unknown forms are left out, except for an app that the operator lists")
    func addresses() throws {
        let uris: JSON = [
            "https://evil.example/cb", "cursor://x/y", "https://www.agent.example.com/cb", "https://example.com/cb",
            "http://agent.example.com/cb", 7,
        ]
        let near = try Self.document(["redirect_uris": uris]).redirectURIs
        // The parent domain may be another's, as `github.io` is.
        #expect(near == ["https://www.agent.example.com/cb"])
        #expect(try Self.document(["redirect_uris": uris], isTrusted: true).redirectURIs.count == 3)
    }

    @Test(
        "Each fault is named",
        arguments: [
            (["client_id": "https://agent.example.com/other"], .otherClient), (["client_id": .null], .otherClient),
            (["client_secret": "s"], .hasSecret),
            (["token_endpoint_auth_method": "client_secret_post"], .methodUnknown),
            (["token_endpoint_auth_method": "client_secret_jwt"], .methodUnknown),
            (["token_endpoint_auth_method": "private_key_jwt"], .keysUnusable),
            (["token_endpoint_auth_method": "private_key_jwt", "jwks": ["keys": []]], .keysUnusable),
            (keyed("http://agent.example.com/keys"), .keysUnusable),
            (["redirect_uris": ["https://evil.example/cb"]], .noAddress), (["redirect_uris": []], .noAddress),
        ] as [(JSONObject, ClientDocument.Fault)])
    func faults(changes: JSONObject, fault: ClientDocument.Fault) {
        #expect(throws: fault) { try Self.document(changes) }
    }

    @Test(
        "Text that is no JSON object, or has a member twice, is refused",
        arguments: ["<html>", "[]", "{\"a\":1,\"a\":2}"])
    func notJSON(text: String) {
        #expect(throws: ClientDocument.Fault.notJSON) {
            try ClientDocument(parsing: Array(text.utf8), at: Self.address, isTrusted: false)
        }
    }

    @Test(
        "Only an https address with a path and without tricks is the address of a document",
        arguments: [
            ("https://agent.example.com/client.json", true), ("https://agent.example.com:8443/a?b=c", true),
            ("https://agent.example.com", false), ("https://agent.example.com/", false),
            ("http://agent.example.com/client.json", false), ("https://user@agent.example.com/c", false),
            ("https://agent.example.com/a/../b", false), ("https://agent.example.com/a#b", false),
            ("https://agent.example.com/./b", false), ("https:///c", false), ("agent", false),
        ])
    func isAddress(text: String, expected: Bool) {
        #expect(ClientDocument.isAddress(text) == expected)
    }

    @Test("The policy admits nothing without a setting, and listed hosts or addresses with one")
    func policy() {
        let listed = ClientDocumentPolicy(.listed, listed: ["agent.example.com"], allowsLocal: false)
        #expect(listed.admits(Self.address) && !listed.admits("https://other.example/c"))
        #expect(ClientDocumentPolicy(.listed, listed: [Self.address], allowsLocal: false).admits(Self.address))
        #expect(!ClientDocumentPolicy(.off, listed: ["agent.example.com"], allowsLocal: false).admits(Self.address))
        let any = ClientDocumentPolicy(.any, listed: [], allowsLocal: false)
        #expect(any.admits(Self.address) && !any.admits("http://127.0.0.1/c") && !any.admits("shop"))
    }

    @Test(
        "A copy lives as long as its headers say, within five minutes and a day",
        arguments: [
            (nil, 600), ("max-age=10", 300), ("public, max-age=3600", 3_600), ("max-age=999999", 86_400),
            ("no-store", 300), ("private", 600),
        ])
    func life(header: String?, seconds: Int) {
        #expect(ClientDocument.life(header) == seconds)
    }

    @Test("A registration without a method gets a secret only where the app can keep one")
    func method() throws {
        #expect(try ClientMetadata(["redirect_uris": ["http://localhost:9/cb"]]).method == .none)
        #expect(try ClientMetadata(["redirect_uris": ["https://a.example/cb"]]).method == .basic)
        let asked = try ClientMetadata([
            "redirect_uris": ["http://127.0.0.1/cb"], "token_endpoint_auth_method": "client_secret_post",
            "scope": "", "client_name": "A\u{202E}\n", "application_type": "native",
            "grant_types": ["authorization_code"],
        ])
        #expect(asked.method == .post && asked.json["client_name"] == "A")
    }

    @Test(
        "A member that can't be registered is named",
        arguments: [
            ("redirect_uris", [], "invalid_redirect_uri"),
            ("redirect_uris", ["https://a.example/#b"], "invalid_redirect_uri"),
            ("redirect_uris", ["http://a.example/"], "invalid_redirect_uri"),
            ("redirect_uris", ["javascript:alert(1)"], "invalid_redirect_uri"),
            ("token_endpoint_auth_method", "private_key_jwt", "invalid_client_metadata"),
            ("token_endpoint_auth_method", "client_secret_jwt", "invalid_client_metadata"),
            ("grant_types", ["implicit"], "invalid_client_metadata"),
            ("response_types", ["token"], "invalid_client_metadata"),
        ] as [(String, JSON, String)])
    func metadata(member: String, value: JSON, code: String) {
        var json: JSONObject = ["redirect_uris": ["http://localhost/cb"]]
        json[member] = value
        #expect { try ClientMetadata(json) } throws: { ($0 as? ClientMetadata.Fault)?.code == code }
    }

    @Test("A registration with keys has either them or their address, and no secret (RFC 7591 §2)")
    func registeredKeys() throws {
        let listed: JSON = ["keys": [try AssertionKey("k1").jwk]]
        var json: JSONObject = [
            "redirect_uris": ["http://localhost/cb"], "token_endpoint_auth_method": "private_key_jwt",
            "jwks_uri": "https://app.example/keys",
        ]
        let metadata = try ClientMetadata(json)
        #expect(!metadata.method.hasSecret && metadata.openID.json == ["jwks_uri": "https://app.example/keys"])
        #expect(metadata.json["jwks_uri"] == "https://app.example/keys")
        json["jwks"] = listed
        #expect(
            throws: ClientMetadata.Fault(code: "invalid_client_metadata", description: "jwks_uri: beside jwks")
        ) { try ClientMetadata(json) }
        json["jwks_uri"] = nil
        #expect(try ClientMetadata(json).openID.json == ["jwks": listed])
        // For another method the keys are for something else.
        json["token_endpoint_auth_method"] = "none"
        #expect(try ClientMetadata(json).openID == .standard)
    }
}
