import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Postgres
import Synchronization
import TestSupport
import Testing

/// Apps that no operator registers: AI agents (MCP authorization, revision 2026-07-28).
@Suite("Agents", .gateway(["CLIENT_DOCUMENTS": "any", "CLIENT_REGISTRATION": "open"])) struct AgentTests {
    /// A site with the document of an agent.
    final class Site: Sendable {
        private struct State {
            var document: JSONObject
            var status = HTTPResponse.Status.ok
            var fetches = 0
        }

        private let state: Mutex<State>

        init(_ document: JSONObject) { state = Mutex(State(document: document)) }

        var fetches: Int { state.withLock { $0.fetches } }

        func change(_ name: String, _ value: JSON) { state.withLock { $0.document[name] = value } }

        func answers(_ status: HTTPResponse.Status) { state.withLock { $0.status = status } }

        func answer(_ request: Request) -> Response {
            let (status, body) = state.withLock { state in
                state.fetches += 1
                return (state.status, JSON.object(state.document).bytes())
            }
            return Response(
                status: status, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: body)))
        }

        /// Runs `body` with an agent whose document is at an address of this computer.
        static func run(
            _ changes: JSONObject = [:], _ body: (Site, RelyingParty, String) async throws -> Void
        ) async throws {
            let gateway = try GatewayProcess.current
            let resource = try await AgentTests.resource()
            // Every test is on the same network, whose budget is for one.
            try await gateway.change("delete from throttles")
            let site = Site(["client_name": "Example Agent", "redirect_uris": ["http://localhost/callback"]])
            for member in changes.members { site.change(member.name, member.value) }
            try await withLocalServer({ site.answer($0) }) { address in
                let id = "\(address)/oauth/\(Fresh.text()).json"
                site.change("client_id", .string(id))
                try await body(site, RelyingParty(gateway: gateway, id: id, secret: nil), resource)
            }
        }
    }

    /// The identifier of an API that admits every app.
    static func resource() async throws -> String {
        let resource = "https://\(Fresh.text()).example/mcp"
        let server: JSONObject = [
            "identifier": .string(resource), "name": "Files", "clients": ["*"],
            "scopes": ["files:read": "Read your files"],
        ]
        _ = try await RelyingParty.register(["resources": [.object(server)]])
        return resource
    }

    static let callback = "http://localhost:51789/callback"

    static func asked(_ party: RelyingParty, _ resource: String, _ more: [String: String?] = [:]) -> String {
        let usual: [String: String?] = [
            "redirect_uri": callback, "resource": resource, "scope": "files:read offline_access", "nonce": nil,
        ]
        return party.request(usual.merging(more) { _, new in new })
    }

    static func allow(_ browser: PageBrowser) async throws {
        let form = try #require(browser.page.forms.first { $0.action == "/authorize/answer" }, "\(browser.page.text)")
        try await browser.post("/authorize/answer", form.fields + [("decision", "allow")])
    }

    @Test("An agent describes itself by a document, and gets a token for the resource alone")
    func document() async throws {
        try await Site.run { site, party, resource in
            let visitor = try await Visitor.arrive()
            try await visitor.signIn(Self.asked(party, resource))
            let page = visitor.browser.page.text
            #expect(page.contains("127.0.0.1") && page.contains("localhost:51789") && page.contains("Read your files"))
            #expect(page.contains("local-app"))
            try await Self.allow(visitor.browser)
            #expect(visitor.browser.departure?.hasPrefix(Self.callback + "?code=") == true)
            let answer = try await party.redeem(
                try #require(visitor.browser.departureQuery["code"]),
                ["redirect_uri": Self.callback, "resource": resource])
            #expect(answer.status == 200 && answer.json["scope"] == "offline_access files:read", "\(answer.text)")
            #expect(answer.json["id_token"] == nil)
            let access = try #require(answer.json["access_token"]?.string)
            let claims = try JSON(parsing: try #require(Base64URL.decode(access.split(separator: ".")[1])))
            #expect(claims["client_id"]?.string == party.id && claims["aud"]?.string == resource)
            #expect(try await party.gateway.send(TestRequest("GET", "/v1/account").bearer(access)).status != 200)
            let refreshed = try await party.gateway.form(
                "/v1/token",
                [
                    ("grant_type", "refresh_token"), ("client_id", party.id), ("resource", resource),
                    ("refresh_token", answer.json["refresh_token"]?.string ?? ""),
                ], client: party.id, secret: nil)
            #expect(refreshed.status == 200, "\(refreshed.text)")
            #expect(site.fetches == 1)
        }
    }

    @Test("A hundred requests at once fetch the document once")
    func fetches() async throws {
        try await Site.run { site, party, resource in
            let asked = Self.asked(party, resource)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await party.gateway.get(asked).status } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(statuses == [303] && site.fetches == 1)
        }
    }

    @Test("Without a resource, with another address or another document, nothing is redirected anywhere")
    func refused() async throws {
        try await Site.run { site, party, resource in
            let gateway = party.gateway
            func page(_ address: String) async throws -> TestAnswer {
                try await gateway.send(TestRequest("GET", address).header("Accept", "text/html"))
            }
            for address in [
                Self.asked(party, resource, ["resource": nil]),
                Self.asked(party, "http://localhost:8080/v1/account"), Self.asked(party, "http://localhost:8080"),
                Self.asked(party, resource, ["prompt": "none"]),
                Self.asked(party, resource, ["scope": "nonsense"]),
                Self.asked(party, resource, ["redirect_uri": "http://localhost:1/other"]),
                Self.asked(party, resource, ["redirect_uri": "https://evil.example/cb"]),
            ] {
                let answer = try await page(address)
                #expect(answer.status == 400 && answer.header("Location") == nil, "\(address)")
            }
        }
        try await Site.run { site, party, resource in
            site.change("client_id", "https://agent.example.com/other.json")
            let asked = Self.asked(party, resource)
            let answer = try await party.gateway.send(
                TestRequest("GET", asked).header("Accept", "text/html").header("Accept-Language", "de"))
            // The text for the developer is in English, and apart from that for the user.
            let detail = try HTMLDocument(answer.body).element(id: "detail")
            #expect(answer.status == 400 && detail?.attributes["lang"] == "en", "\(answer.text)")
            #expect(detail?.text == "The client document can't be used: its client_id is another address.")
            // Nothing of the failure is kept.
            site.change("client_id", .string(party.id))
            #expect(try await party.gateway.get(asked).status == 303 && site.fetches == 2)
        }
    }

    @Test("O-18: The refusal of a document does not tell a forbidden address from one where nothing answers")
    func unreachable() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.change("delete from throttles")
        for host in ["169.254.169.254", "127.0.0.1:1"] {
            let answer = try await gateway.send(
                TestRequest("GET", "/authorize?client_id=http://\(host)/\(Fresh.text()).json")
                    .header("Accept", "text/html"))
            let detail = try HTMLDocument(answer.body).element(id: "detail")
            #expect(answer.status == 400)
            #expect(detail?.text == "The client document can't be used: its host can't be reached.", "\(answer.text)")
        }
    }

    @Test("A changed document asks the user again, and one that is gone ends the app and its tokens")
    func withdrawn() async throws {
        try await Site.run { site, party, resource in
            let visitor = try await Visitor.arrive()
            try await visitor.signIn(Self.asked(party, resource))
            try await Self.allow(visitor.browser)
            let answer = try await party.redeem(
                try #require(visitor.browser.departureQuery["code"]), ["redirect_uri": Self.callback])
            let refresh = try #require(answer.json["refresh_token"]?.string, "\(answer.text)")
            func age() async throws {
                try await party.gateway.change(
                    "update client_documents set fresh_until = now() - interval '1 second' where url = \(party.id)")
            }
            func grants() async throws -> Int {
                try await party.gateway.count(
                    """
                    select count(*) from app_grants g join client_documents d on d.client_id = g.client_id
                     where d.url = \(party.id)
                    """)
            }
            #expect(try await grants() == 1)
            site.change("client_name", "Another Agent")
            try await poll {
                try await age()
                try await visitor.browser.visit(Self.asked(party, resource))
                return visitor.browser.page.text.contains("Another Agent") ? () : nil
            }
            #expect(try await grants() == 0)
            site.answers(.notFound)
            try await poll {
                try await age()
                let late = try await party.gateway.get(Self.asked(party, resource))
                return late.status == 400 ? () : nil
            }
            let over = try await party.gateway.form(
                "/v1/token", [("grant_type", "refresh_token"), ("client_id", party.id), ("refresh_token", refresh)],
                client: party.id, secret: nil)
            #expect(over.status == 401 && over.json["error"] == "invalid_client", "\(over.text)")
            site.answers(.ok)
            #expect(try await party.gateway.get(Self.asked(party, resource)).status == 303)
        }
    }

    @Test("An app registers itself, signs a user in, changes its registration and ends it")
    func registration() async throws {
        let gateway = try GatewayProcess.current
        let request: JSON = [
            "redirect_uris": ["http://localhost:4242/callback"], "client_name": "Command line", "scope": "",
            "token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "refresh_token"],
            "application_type": "native", "software_version": "1",
        ]
        let post = TestRequest("POST", "/v1/register")
        let made = try await gateway.send(post.json(request))
        #expect(made.status == 201 && made.json["client_secret"] == nil && made.json["client_name"] == "Command line")
        let id = try #require(made.json["client_id"]?.string, "\(made.text)")
        let uri = try #require(made.json["registration_client_uri"]?.string)
        #expect(uri.hasSuffix("/v1/register/\(id)"))
        let token = try #require(made.json["registration_access_token"]?.string)
        let path = "/v1/register/\(id)"
        #expect(try await gateway.send(TestRequest("GET", path).bearer(token)).json["client_id"]?.string == id)
        #expect(try await gateway.send(TestRequest("GET", path).bearer(token + "x")).status == 401)
        #expect(try await gateway.send(TestRequest("DELETE", path)).status == 401)
        // It needs a resource, consent and a proof key like every agent.
        let party = RelyingParty(gateway: gateway, id: id, secret: nil)
        let without = party.request(["redirect_uri": "http://localhost:9/callback"])
        #expect(try await gateway.get(without).status == 400)
        let other: JSON = ["redirect_uris": ["http://localhost/other"], "token_endpoint_auth_method": "none"]
        let changed = try await gateway.send(TestRequest("PUT", path).bearer(token).json(other))
        #expect(changed.status == 200 && changed.json["redirect_uris"] == ["http://localhost/other"])
        #expect(try await gateway.send(TestRequest("DELETE", path).bearer(token)).status == 204)
        #expect(try await gateway.send(TestRequest("GET", path).bearer(token)).status == 401)
    }

    @Test("Where the operator has set an initial access token, an app registers itself with that one alone")
    func invitation() async throws {
        let secret = "invitation-\(Fresh.text())"
        let settings = ["CLIENT_REGISTRATION": "token", "CLIENT_REGISTRATION_TOKEN": secret]
        try await withGateway(settings) { gateway in
            let metadata: JSON = ["redirect_uris": ["http://localhost/cb"], "token_endpoint_auth_method": "none"]
            let post = TestRequest("POST", "/v1/register").json(metadata)
            for refused in [post, post.bearer(secret + "x"), post.bearer("invitation")] {
                let answer = try await gateway.send(refused)
                #expect(answer.status == 401 && answer.json["client_id"] == nil, "\(answer.text)")
            }
            let made = try await gateway.send(post.bearer(secret))
            #expect(made.status == 201, "\(made.text)")
        }
    }

    @Test("O-36: The replacements of a registration have the budget of registrations")
    func replacements() async throws {
        try await withGateway(["CLIENT_REGISTRATION": "open"]) { gateway in
            let metadata: JSON = ["redirect_uris": ["http://localhost/cb"], "token_endpoint_auth_method": "none"]
            let made = try await gateway.send(TestRequest("POST", "/v1/register").json(metadata))
            let id = try #require(made.json["client_id"]?.string, "\(made.text)")
            let token = try #require(made.json["registration_access_token"]?.string)
            var statuses: [Int] = []
            for _ in 0..<30 where statuses.last != 429 {
                let put = TestRequest("PUT", "/v1/register/\(id)").bearer(token).json(metadata)
                statuses.append(try await gateway.send(put).status)
            }
            #expect(statuses.first == 200 && statuses.last == 429, "\(statuses)")
        }
    }

    @Test("A registration with a secret gets one, and a wrong one names its member")
    func registrationFaults() async throws {
        let gateway = try GatewayProcess.current
        let post = TestRequest("POST", "/v1/register")
        let made = try await gateway.send(post.json(["redirect_uris": ["https://app.example/cb"]]))
        #expect(made.json["token_endpoint_auth_method"] == "client_secret_basic")
        #expect(made.json["client_secret"]?.string?.count == 43 && made.json["client_secret_expires_at"] == 0)
        for (member, value, error) in [
            ("redirect_uris", ["https://app.example/#x"], "invalid_redirect_uri"),
            ("token_endpoint_auth_method", "tls_client_auth", "invalid_client_metadata"),
        ] as [(String, JSON, String)] {
            var json: JSONObject = ["redirect_uris": ["https://app.example/cb"]]
            json[member] = value
            let answer = try await gateway.send(post.json(.object(json)))
            #expect(answer.status == 400 && answer.json["error"]?.string == error)
            #expect(answer.json["error_description"]?.string?.hasPrefix(member) == true)
        }
    }

    @Test("O-34: No mail has the name with which a stranger registered an app")
    func mails() async throws {
        let gateway = try GatewayProcess.current
        let request: JSON = [
            "redirect_uris": ["https://evil.example/cb"], "client_name": "Claim it at https://evil.example/now",
            "token_endpoint_auth_method": "none",
        ]
        let made = try await gateway.send(TestRequest("POST", "/v1/register").json(request))
        let id = try #require(made.json["client_id"]?.string, "\(made.text)")
        let (known, unknown) = (Fresh.email(), Fresh.email())
        _ = try await gateway.signUp(known)
        let earlier = gateway.mails(to: known).count
        for (email, number) in [(known, earlier + 1), (unknown, 1)] {
            let browser = try await PageBrowser.open(gateway, "/forgot?client_id=\(id)")
            try await browser.submit("/forgot", ["username": email])
            let mail = try await poll { gateway.mails(to: email).count >= number ? gateway.mails(to: email).last : nil }
            for text in [mail.decoded, mail.sender, mail.subject] {
                #expect(!text.contains("evil") && !text.contains("Claim") && !text.contains(id), "\(text)")
            }
        }
    }

    @Test("The metadata name both ways, and nothing of them without the settings")
    func metadata() async throws {
        let json = try await GatewayProcess.current.get("/.well-known/oauth-authorization-server").json
        #expect(json["client_id_metadata_document_supported"] == true)
        #expect(json["registration_endpoint"]?.string?.hasSuffix("/v1/register") == true)
    }
}

extension OpenIDTests {
    @Test("Without its setting there is no registration, and no client is the address of a document")
    func noAgents() async throws {
        let gateway = try GatewayProcess.current
        let json = try await gateway.get("/.well-known/openid-configuration").json
        #expect(json["registration_endpoint"] == nil && json["client_id_metadata_document_supported"] == nil)
        let post = TestRequest("POST", "/v1/register")
        #expect(try await gateway.send(post.json(["redirect_uris": ["https://app.example/cb"]])).status == 404)
        try await AgentTests.Site.run { site, party, resource in
            let answer = try await party.gateway.get(party.request(["resource": resource]))
            #expect(answer.status == 400 && site.fetches == 0)
        }
    }
}
