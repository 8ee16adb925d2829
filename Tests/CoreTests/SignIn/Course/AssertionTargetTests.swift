import Foundation
import JSON
import Testing

@testable import Clients
@testable import Providers
@testable import SignIn
@testable import Vocabulary

/// What an app gets by an identity assertion, and what it may ask for one.
@Suite struct AssertionTargetTests {
    private static let files = "https://files.example/api"
    private static let mail = "https://mail.example"

    private static func catalogue() throws -> ResourceCatalogue {
        ResourceCatalogue([
            try ResourceScopesTests.resource(["clients": ["agent", "*"]]),
            try ResourceScopesTests.resource(["identifier": .string(mail), "name": "Mail", "clients": ["*"]]),
        ])
    }

    private static func assertion(_ resources: [String], _ scopes: Set<String>) throws -> IdentityAssertion {
        IdentityAssertion(
            identity: ExternalIdentity(
                provider: try #require(ProviderID(rawValue: "acme")), realm: "r", subject: "s", audiences: [],
                replayDigest: [], replayEnd: .counted(Date())),
            client: "agent", resources: resources, scopes: scopes)
    }

    @Test("the token is for an API of the assertion, with the scopes that both allow")
    func granted() throws {
        let catalogue = try Self.catalogue()
        let one = try Self.assertion([Self.files], ["files:read", "unknown"])
        for (asked, scope) in [
            (nil, nil), (Self.files, nil), ("HTTPS://FILES.example/api", nil), (nil, "files:read"),
        ] as [(String?, String?)] {
            let target = try one.target(asked, scope: scope, of: "agent", among: catalogue)
            #expect(target.resource.identifier == Self.files && target.scopes == ["files:read"])
        }
        let none = try Self.assertion([Self.files], [])
        #expect(try none.target(nil, scope: nil, of: "agent", among: catalogue).scopes == [])
    }

    @Test("another API, one that lists the client by nothing but a star, and a wider scope are refused")
    func refused() throws {
        let catalogue = try Self.catalogue()
        let both = try Self.assertion([Self.files, Self.mail], ["files:read"])
        let one = try Self.assertion([Self.files], ["files:read"])
        for (assertion, asked, client) in [
            (both, nil, "agent"), (both, Self.mail, "agent"), (one, Self.mail, "agent"), (one, nil, "other"),
            (one, "https://unknown.example", "agent"), (one, "", "agent"),
            (try Self.assertion([], ["files:read"]), Self.files, "agent"),
            (try Self.assertion(["https://unknown.example"], []), nil, "agent"),
        ] as [(IdentityAssertion, String?, String)] {
            #expect(throws: Rejection.targetInvalid(asked.map(SentText.init))) {
                try assertion.target(asked, scope: nil, of: client, among: catalogue)
            }
        }
        for (scope, refused) in [
            ("files:write", "files:write"), ("files:read openid", "openid"), ("unknown", "unknown"),
        ] {
            #expect(throws: Rejection.scopeInvalid(SentText(refused))) {
                try one.target(nil, scope: scope, of: "agent", among: catalogue)
            }
        }
    }

    @Test("the settings about other servers come back as they were; each fault is named by its place")
    func settings() throws {
        let audience: JSONObject = [
            "issuer": "https://auth.example", "client_id": "agent there", "resources": ["https://api.example"],
            "scopes": ["openid", "files:read"],
        ]
        let json: JSONObject = ["assertion_audiences": [.object(audience)]]
        let settings = try OpenIDSettings(parsing: json)
        #expect(settings.json == .object(json) && settings.assertionAudiences.first?.clientID == "agent there")
        #expect(OpenIDSettings.standard.assertionAudiences.isEmpty)
        for (member, value, place) in [
            ("issuer", "auth", "issuer"), ("issuer", .null, "issuer"), ("client_id", "", "client_id"),
            ("client_id", .null, "client_id"), ("resources", ["api"], "resources/0"), ("scopes", ["a b"], "scopes/0"),
            ("more", 1, "more"),
        ] as [(String, JSON, String)] {
            var changed = audience
            changed[member] = value
            let faults = OpenIDSettings.faults(in: ["assertion_audiences": [.object(changed)]])
            #expect(faults.map(\.pointer) == ["/assertion_audiences/0/\(place)"])
        }
        #expect(OpenIDSettings.faults(in: ["assertion_audiences": ["x"]]).map(\.reason) == ["must_be_object"])
    }
}
