import JSON
import Testing

@testable import Authorization
@testable import Clients
@testable import Vocabulary

/// Resources and the tokens for them (RFC 8707).
@Suite struct ResourceScopesTests {
    static let files = "https://files.example/api"
    static let mail = "https://mail.example"

    static func resource(_ changes: JSONObject = [:]) throws -> ProtectedResource {
        var json: JSONObject = [
            "identifier": .string(files), "name": "Files", "clients": ["*"],
            "scopes": ["files:read": "Read your files", "files:write": "Change your files"],
        ]
        for member in changes.members { json[member.name] = member.value }
        return try #require(try OpenIDSettings(parsing: ["resources": [.object(json)]]).resources.first)
    }

    static func catalogue() throws -> ResourceCatalogue {
        ResourceCatalogue([
            try resource(), try resource(["identifier": .string(mail), "name": "Mail", "clients": ["mailer"]]),
        ])
    }

    private static func request(
        _ resources: [String], scope: String, client: Client = AuthorizationRequestTests.client()
    ) throws -> AuthorizationRequest {
        let values = AuthorizationRequestTests.sound.filter { $0.key != "scope" }.map { ($0.key, $0.value) }
        let parameters = AuthorizationParameters(values + [("scope", scope)] + resources.map { ("resource", $0) })
        return try AuthorizationRequest(
            parameters, at: try AnswerPlace(parameters, of: client), among: try catalogue(), isPushed: false)
    }

    @Test("The settings of a resource come back as they were; each fault is named by its place")
    func settings() throws {
        let resource = try Self.resource(["access_token_algorithm": "RS256", "access_token_seconds": 300])
        let json: JSONObject = ["resources": [resource.json]]
        #expect(try OpenIDSettings(parsing: json).resources == [resource])
        #expect(resource.algorithm == .rs256 && resource.tokenLife == 300)
        for (member, value, place) in [
            ("identifier", "files", "/resources/0/identifier"),
            ("identifier", "https://files.example/#a", "/resources/0/identifier"),
            ("identifier", .null, "/resources/0/identifier"),
            ("scopes", ["openid": "Who you are"], "/resources/0/scopes/openid"),
            ("scopes", ["a b": "Two"], "/resources/0/scopes/a b"), ("scopes", ["a": 1], "/resources/0/scopes/a"),
            ("access_token_seconds", 10, "/resources/0/access_token_seconds"), ("more", 1, "/resources/0/more"),
        ] as [(String, JSON, String)] {
            var object = try #require(resource.json.object)
            object[member] = value
            #expect(OpenIDSettings.faults(in: ["resources": [.object(object)]]).map(\.pointer) == [place])
        }
    }

    @Test("A request reaches the resources that it names, with their scopes, in the spelling of the operator")
    func request() throws {
        let upper = "HTTPS://Files.example/api"
        let request = try Self.request([upper], scope: "files:read mail:read offline_access")
        #expect(request.resources == ResourceScopes([Self.files: ["files:read"]]))
        #expect(request.tokens.scopes == [.offlineAccess] && request.outlivesBrowser)
        let withSlash = try Self.request(["https://mail.example/"], scope: "openid", client: Self.mailer)
        #expect(withSlash.resources == ResourceScopes([Self.mail: []]))
    }

    private static let mailer = Client(
        id: "mailer", name: "Mailer", secret: nil, origins: [], redirectURIs: ["https://shop.example/back"],
        providers: ["password"], linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600,
        refreshIdle: 86_400, refreshMaximum: 864_000)

    @Test(
        "An unknown, malformed or foreign resource is invalid_target; a scope of no named resource is no scope",
        arguments: [
            (["https://other.example"], "openid", "invalid_target"), (["files"], "openid", "invalid_target"),
            (["https://files.example/api#x"], "openid", "invalid_target"),
            (["https://FILES.example/API"], "openid", "invalid_target"),
            (["https://mail.example"], "openid", "invalid_target"),
            (Array(repeating: "https://files.example/api", count: 11), "openid", "invalid_target"),
            ([], "files:read", "invalid_scope"),
        ])
    func refused(resources: [String], scope: String, word: String) throws {
        #expect { _ = try Self.request(resources, scope: scope) } throws: {
            ($0 as? AuthorizationFault)?.word.rawValue == word
        }
    }

    @Test("The gateway's own API is the target of a client that an operator registered and that has the audience")
    func gateway() throws {
        let catalogue = ResourceCatalogue([try Self.resource()], at: "https://login.example")
        let (app, stranger) = (AuthorizationRequestTests.client(), Self.client(origin: .registration))
        for own in ["https://login.example", "HTTPS://Login.example/", "https://login.example/v1/account"] {
            #expect(catalogue.isOwn(own, of: app) && !catalogue.isOwn(own, of: stranger))
            let named = try catalogue.identifier(own, by: app)
            #expect(try ResourceScopes.none.target(named, among: catalogue) == nil)
            #expect(throws: Rejection.targetInvalid()) {
                try ResourceScopes([Self.files: []]).target(named, among: catalogue)
            }
            #expect(throws: Rejection.targetInvalid(SentText(own))) { try catalogue.identifier(own, by: stranger) }
        }
        for other in ["https://login.example/admin/api/v1", "https://login.example/v1", "https://login.example.org"] {
            #expect(throws: Rejection.targetInvalid(SentText(other))) { try catalogue.identifier(other, by: app) }
        }
        let administration = "https://login.example/admin/api/v1"
        #expect(catalogue.isOwn(administration, of: Self.client(audiences: [.administration])))
        #expect(try catalogue.identifier("HTTPS://files.example/api", by: app) == Self.files)
        #expect(try catalogue.identifier(nil, by: app) == nil)
        #expect(throws: Rejection.targetInvalid(SentText("https://login.example"))) {
            try Self.catalogue().identifier("https://login.example", by: app)
        }
    }

    private static func client(audiences: Set<Audience> = [.account], origin: ClientOrigin = .operator) -> Client {
        Client(
            id: "app", name: "App", secret: nil, origins: [], redirectURIs: [], providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 86_400,
            refreshMaximum: 864_000, audiences: audiences, origin: origin)
    }

    @Test(
        "The metadata of a resource are where its path was (RFC 9728 §3.1)",
        arguments: [
            ("https://a.example", "https://a.example/.well-known/oauth-protected-resource"),
            ("https://a.example/", "https://a.example/.well-known/oauth-protected-resource"),
            ("https://a.example:8443/mcp/x", "https://a.example:8443/.well-known/oauth-protected-resource/mcp/x"),
            ("https://a.example?k=1", "https://a.example/.well-known/oauth-protected-resource?k=1"),
            ("urn:example:files", nil),
        ])
    func metadataAddress(identifier: String, address: String?) throws {
        #expect(try Self.resource(["identifier": .string(identifier)]).metadataAddress == address)
    }

    @Test("A token is for the asked resource, for the only one, or for the app's own API")
    func target() throws {
        let catalogue = try Self.catalogue()
        let one = ResourceScopes([Self.files: ["files:read"]])
        let two = ResourceScopes([Self.files: ["files:read"], Self.mail: []])
        #expect(try ResourceScopes.none.target(nil, among: catalogue) == nil)
        #expect(try one.target(nil, among: catalogue)?.scopes == ["files:read"])
        #expect(try two.target("https://mail.example/", among: catalogue)?.resource.identifier == Self.mail)
        for (held, asked) in [(two, nil), (one, Self.mail), (.none, Self.files), (one, "https://other.example")] {
            let refusal = Rejection.targetInvalid(asked.map(SentText.init))
            #expect(throws: refusal) { try held.target(asked, among: catalogue) }
        }
    }

    @Test("The names of the database keep resources and scopes apart")
    func names() {
        let access = GrantedAccess(
            scopes: [.openid, .email], resources: ResourceScopes([Self.files: ["files:read", "a"], Self.mail: []]))
        #expect(GrantedAccess(names: access.names) == access)
        let kept = access.keeping { $0 == "\(Self.files) a" }
        #expect(kept.scopes == [.openid] && kept.resources == ResourceScopes([Self.files: ["a"], Self.mail: []]))
        #expect(kept.isSubset(of: access) && !access.isSubset(of: kept))
        #expect(access.resources.granting(kept.resources) == kept.resources)
    }
}
