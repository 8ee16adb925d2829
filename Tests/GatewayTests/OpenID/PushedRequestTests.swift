import Clients
import Foundation
import JSON
import Postgres
import Testing

/// Pushed authorization requests (RFC 9126).
extension OpenIDTests {
    private static func push(_ party: RelyingParty, _ changes: [String: String?] = [:]) async throws -> TestAnswer {
        try await party.gateway.form("/v1/par", party.parameters(changes), client: party.id, secret: party.secret)
    }

    private static func address(_ party: RelyingParty, _ answer: TestAnswer) throws -> String {
        let uri = try #require(answer.json["request_uri"]?.string, "\(answer.text)")
        return "/authorize?client_id=\(party.id)&request_uri=\(uri)"
    }

    @Test("A pushed request needs nothing else; a reload before the end works, a use after it does not")
    func pushed() async throws {
        let party = try await RelyingParty.register(["pushed_requests": true])
        let answer = try await Self.push(party)
        #expect(answer.status == 201 && answer.json["expires_in"] == 60)
        let address = try Self.address(party, answer)
        let visitor = try await Visitor.arrive()
        try await visitor.browser.visit(address + "&scope=email&state=other")
        try await visitor.browser.visit(address)
        try await visitor.browser.passwordSignIn(visitor.email)
        #expect(visitor.browser.departureQuery["state"] == "st")
        _ = try await party.tokens(visitor.browser)
        let again = try await visitor.browser.visit(address)
        #expect(again.status >= 400 && again.header("Location") == nil)
        // The client pushes every request: others are refused.
        let plain = try await visitor.browser.visit(party.request())
        #expect(plain.header("Location")?.contains("error=invalid_request") == true)
    }

    /// The first refusal among many answers: the budget grows slowly while they are asked for.
    private static func refusal(_ send: () async throws -> TestAnswer) async throws -> TestAnswer {
        for _ in 0..<30 {
            let answer = try await send()
            if answer.status >= 400 { return answer }
        }
        return try await send()
    }

    @Test("O-35: A network stores a limited number of requests; a back end's pushed ones are charged to no network")
    func stored() async throws {
        try await withGateway(["THROTTLE_ADDRESS_BURST": "1", "THROTTLE_ADDRESS_PER_MINUTE": "1"]) { gateway in
            let app = RelyingParty(gateway: gateway, id: "rp-\(Fresh.text())", secret: nil)
            let backEnd = RelyingParty(gateway: gateway, id: "rp-\(Fresh.text())", secret: "secret \(Fresh.text())")
            try await gateway.addClient(app.id, secret: nil, redirects: [RelyingParty.address])
            try await gateway.addClient(
                backEnd.id, secret: backEnd.secret, type: .confidential, redirects: [RelyingParty.address])
            #expect(try await Self.push(app).status == 201)
            let late = try await Self.refusal { try await gateway.get(app.request()) }
            #expect(late.status == 429 && late.header("Retry-After") != nil, "\(late.text)")
            let pushed = try await Self.refusal { try await Self.push(app) }
            #expect(pushed.status == 429 && pushed.json["code"] == "throttled", "\(pushed.text)")
            for _ in 0..<5 { #expect(try await Self.push(backEnd).status == 201) }
        }
    }

    @Test("Another client's, an expired and an invented reference are refused on our page")
    func wrongReference() async throws {
        let (party, other) = (try await RelyingParty.register(), try await RelyingParty.register())
        let uri = try #require(try await Self.push(party).json["request_uri"]?.string)
        let foreign = try await party.gateway.get("/authorize?client_id=\(other.id)&request_uri=\(uri)")
        try await party.gateway.change(
            "update authorization_requests set expires_at = now() - interval '1 second' where client_id = \(party.id)")
        let expired = try await party.gateway.get("/authorize?client_id=\(party.id)&request_uri=\(uri)")
        let invented = try await party.gateway.get("/authorize?client_id=\(party.id)&request_uri=\(uri.dropLast(2))AA")
        for answer in [foreign, expired, invented] {
            #expect(answer.status >= 400 && answer.header("Location") == nil)
        }
    }

    @Test("Faults come back to the client at once, with the words of the authorization endpoint")
    func faults() async throws {
        let party = try await RelyingParty.register()
        let rows: [([String: String?], String)] = [
            (["request_uri": "urn:x"], "invalid_request"),
            (["redirect_uri": "https://evil.example/"], "invalid_request"),
            (["response_type": "token"], "unsupported_response_type"), (["scope": "nonsense"], "invalid_scope"),
            (["code_challenge": nil], "invalid_request"), (["request": "x.y.z"], "request_not_supported"),
            (["client_id": "app"], "invalid_request"),
        ]
        for (changes, word) in rows {
            let answer = try await Self.push(party, changes)
            #expect(answer.status == 400 && answer.json["error"]?.string == word, "\(changes) \(answer.text)")
        }
        let unproved = try await party.gateway.form("/v1/par", party.parameters(), client: party.id, secret: "wrong")
        #expect(unproved.status == 401 && unproved.json["error"] == "invalid_client")
        #expect(try await party.gateway.get("/v1/par").status == 405)
    }
}
