import JSON
import TestSupport
import Testing

@testable import Clients

/// The keys in the settings of a client.
@Suite("Keys of clients") struct ClientKeysTests {
    @Test("A client has keys or their address, not both, and the address is one that the gateway may call")
    func settings() throws {
        let listed: JSON = ["keys": [try AssertionKey("k1").jwk]]
        let published = try OpenIDSettings(parsing: ["jwks_uri": "https://app.example/keys"])
        #expect(published.hasKeys && published.json == ["jwks_uri": "https://app.example/keys"])
        #expect(try OpenIDSettings(parsing: ["jwks": listed, "jwks_uri": .null]).json == ["jwks": listed])
        #expect(!OpenIDSettings.standard.hasKeys)
        #expect(throws: MemberFault(path: ["jwks_uri"], reason: "beside_jwks")) {
            try OpenIDSettings(parsing: ["jwks": listed, "jwks_uri": "https://app.example/keys"])
        }
        for address in ["http://app.example/keys", "app.example", "org.example.app:/keys", "https://a.example/#k"] {
            #expect(throws: MemberFault(path: ["jwks_uri"], reason: "malformed")) {
                try OpenIDSettings(parsing: ["jwks_uri": .string(address)])
            }
        }
    }

    @Test("A confidential client keeps a secret or keys")
    func proof() {
        let keyed: JSONObject = [
            "type": "confidential", "has_secret": false, "openid": ["jwks_uri": "https://app.example/keys"],
        ]
        #expect(!ClientChange.lacksProof(["name": "Shop"], held: keyed))
        #expect(ClientChange.lacksProof(["openid": [:]], held: keyed))
        #expect(ClientChange.lacksProof(["openid": ["jwks_uri": .null]], held: keyed))
        #expect(!ClientChange.lacksProof(["openid": [:], "type": "public"], held: keyed))
        let open: JSONObject = ["type": "public", "has_secret": false, "openid": [:]]
        #expect(ClientChange.lacksProof(["type": "confidential"], held: open))
        #expect(!ClientChange.lacksProof(["type": "confidential"], held: ["has_secret": true]))
    }
}
