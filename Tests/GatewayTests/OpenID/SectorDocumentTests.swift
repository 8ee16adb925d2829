import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Postgres
import Synchronization
import Testing

/// A site with the document of a sector.
final class SectorSite: Sendable {
    private let answer = Mutex<(status: HTTPResponse.Status, body: JSON)>((.ok, []))

    func answers(_ body: JSON, _ status: HTTPResponse.Status = .ok) { answer.withLock { $0 = (status, body) } }

    /// Runs `body` with the address of the document.
    static func run(_ body: (SectorSite, String) async throws -> Void) async throws {
        let site = SectorSite()
        try await withLocalServer({ _ in
            let (status, json) = site.answer.withLock { $0 }
            return Response(
                status: status, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: json.bytes())))
        }) { try await body(site, $0 + "/sector.json") }
    }
}

extension OpenIDTests {
    @Test("An operator saves a sector only with a document that lists the app; its apps share one sub")
    func sectorDocument() async throws {
        let (one, other) = ("https://\(Fresh.text()).example/cb", "https://\(Fresh.text()).example/cb")
        let party = try await RelyingParty.register(redirects: [one, other])
        let second = try await RelyingParty.register(redirects: [other])
        let gateway = party.gateway
        let owner = try await gateway.operatorSession("owner")
        func change(_ party: RelyingParty, _ members: JSONObject) async throws -> TestAnswer {
            var change = members
            change["reason"] = "a test"
            return try await gateway.admin("PATCH", "clients/\(party.id)", .object(change), by: owner)
        }
        let several = try await change(party, ["openid": ["subject_type": "pairwise"]])
        #expect(several.status == 400 && several.text.contains("required_with_several_hosts"), "\(several.text)")
        try await SectorSite.run { site, address in
            let openID: JSON = ["subject_type": "pairwise", "sector_identifier_uri": .string(address)]
            for (body, status, reason) in [
                ([.string(one)], .ok, "lacks_a_redirect_address"), (["redirect_uris": []], .ok, "no_list"),
                ([.string(one), .string(other)], .notFound, "unreachable"),
            ] as [(JSON, HTTPResponse.Status, String)] {
                site.answers(body, status)
                let refused = try await change(party, ["openid": openID])
                #expect(refused.status == 400 && refused.text.contains(reason), "\(refused.text)")
            }
            site.answers([.string(one), .string(other)])
            for saved in [party, second] {
                let answer = try await change(saved, ["openid": openID])
                #expect(answer.status == 200, "\(answer.text)")
            }
            let added = try await change(party, ["redirect_uris": ["https://third.example/cb"]])
            #expect(added.status == 400 && added.text.contains("lacks_a_redirect_address"), "\(added.text)")
        }
        // The registry follows the notification: the changes are in when a later client is known.
        try await gateway.addClient("after-\(party.id)", secret: nil)
        let visitor = try await Visitor.arrive()
        let first = try await party.tokens(
            try await visitor.signIn(party.request(["redirect_uri": one])), ["redirect_uri": one])
        try await visitor.browser.visit(second.request(["redirect_uri": other]))
        let again = try await second.tokens(visitor.browser, ["redirect_uri": other])
        #expect(first.claims["sub"] == again.claims["sub"] && first.claims["sub"]?.string?.utf8.count == 43)
    }
}

extension AgentTests {
    @Test("oidcc-registration-sector-uri, -sector-bad: an app that registers itself may name a sector that lists it")
    func registeredSector() async throws {
        let gateway = try GatewayProcess.current
        let post = TestRequest("POST", "/v1/register")
        func register(_ members: JSONObject) async throws -> TestAnswer {
            var json: JSONObject = ["redirect_uris": ["https://a.example/cb", "https://b.example/cb"]]
            for member in members.members { json[member.name] = member.value }
            return try await gateway.send(post.json(.object(json)))
        }
        func isRefused(_ answer: TestAnswer) -> Bool {
            answer.status == 400 && answer.json["error"] == "invalid_client_metadata"
                && answer.json["error_description"]?.string?.hasPrefix("sector_identifier_uri: ") == true
        }
        #expect(try await isRefused(register(["subject_type": "pairwise"])))
        try await SectorSite.run { site, address in
            let members: JSONObject = ["subject_type": "pairwise", "sector_identifier_uri": .string(address)]
            site.answers(["https://a.example/cb"])
            #expect(try await isRefused(register(members)))
            #expect(try await isRefused(register(["sector_identifier_uri": .string(address)])))
            site.answers(["https://a.example/cb", "https://b.example/cb"])
            let made = try await register(members)
            #expect(made.status == 201 && made.json["subject_type"] == "pairwise", "\(made.text)")
            let id = try #require(made.json["client_id"]?.string)
            let token = try #require(made.json["registration_access_token"]?.string)
            let path = "/v1/register/\(id)"
            let shown = try await gateway.send(TestRequest("GET", path).bearer(token))
            #expect(shown.json["sector_identifier_uri"]?.string == address && shown.json["subject_type"] == "pairwise")
            var change = members
            change["redirect_uris"] = ["https://c.example/cb"]
            let put = TestRequest("PUT", path).bearer(token)
            #expect(try await isRefused(gateway.send(put.json(.object(change)))))
            let plain: JSON = ["redirect_uris": ["https://c.example/cb"]]
            let changed = try await gateway.send(put.json(plain))
            #expect(changed.status == 200 && changed.json["subject_type"] == nil, "\(changed.text)")
        }
    }

    @Test("An agent whose document asks for it gets no account's id, and agents on one host share a sub")
    func pairwiseAgent() async throws {
        try await Site.run(["subject_type": "pairwise"]) { site, party, resource in
            let visitor = try await Visitor.arrive()
            try await visitor.signIn(Self.asked(party, resource, ["scope": "openid files:read"]))
            try await Self.allow(visitor.browser)
            let answer = try await party.redeem(
                try #require(visitor.browser.departureQuery["code"]), ["redirect_uri": Self.callback])
            let claims = try await party.gateway.idClaims(answer.json)
            let sector = try await party.gateway.count(
                """
                select count(*) from pairwise_subjects where sector = '127.0.0.1' and subject = \(claims["sub"]?.string)
                """)
            #expect(sector == 1, "\(answer.text)")
        }
    }
}
