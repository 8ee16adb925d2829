import Foundation
import JSON
import Outbound
import TestSupport
import Testing

@testable import Clients
@testable import OperatorAccess
@testable import Vocabulary

/// Sectors of pairwise subjects (OpenID Connect Core §8.1, Dynamic Client Registration §5).
@Suite struct SectorTests {
    private static let document = "https://group.example/sector.json"

    private static func client(
        _ openID: JSONObject, _ redirects: [String], id: String = "rp", from origin: ClientOrigin = .operator
    ) throws -> Client {
        Client(
            id: id, name: "RP", secret: nil, origins: [], redirectURIs: redirects, providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 600,
            refreshMaximum: 600, openID: try OpenIDSettings(parsing: openID), origin: origin)
    }

    @Test("A client with public subjects has no sector, whatever else it names")
    func everybody() throws {
        #expect(try Self.client([:], ["https://rp.example/cb"]).sector == nil)
        let named = try Self.client(["sector_identifier_uri": .string(Self.document)], ["https://rp.example/cb"])
        #expect(named.sector == nil)
    }

    @Test("The sector is the host of its document, else that of all redirect addresses, without the port")
    func hosts() throws {
        let pairwise: JSONObject = ["subject_type": "pairwise"]
        let sites = ["https://rp.example/a", "https://rp.example:8443/b"]
        #expect(try Self.client(pairwise, sites).sector == "rp.example")
        let named = try Self.client(
            ["subject_type": "pairwise", "sector_identifier_uri": .string(Self.document)],
            ["https://rp.example/cb", "https://other.example/cb"])
        #expect(named.sector == "group.example")
    }

    @Test("An app that describes itself belongs to the host of its document, whatever it redirects to")
    func agent() throws {
        let agent = try Self.client(
            ["subject_type": "pairwise"], ["http://localhost/callback"],
            from: .document(address: "https://agent.example/client.json", freshUntil: .distantFuture))
        #expect(agent.sector == "agent.example")
    }

    @Test("Nobody owns the host of the user's own computer: each such app is a sector by itself")
    func onComputer() throws {
        for redirects in [["http://localhost/cb", "http://127.0.0.1/cb"], ["org.example.app:/cb"], []] {
            let (one, other) = (
                try Self.client(["subject_type": "pairwise"], redirects, id: "one"),
                try Self.client(["subject_type": "pairwise"], redirects, id: "other")
            )
            #expect(one.sector == "client:one" && other.sector == "client:other")
        }
    }

    @Test("Settings that can't be read keep the kind of subjects, so that no account's id appears")
    func unreadable() throws {
        let kept = OpenIDSettings.unreadable(keepingSubjectsOf: [
            "subject_type": "pairwise", "sector_identifier_uri": .string(Self.document), "of_a_later_release": 1,
        ])
        #expect(kept.subjectType == .pairwise && kept.sectorIdentifierURI == Self.document && kept.isThirdParty)
    }

    @Test(
        "Several hosts need a document, and a document must list every address",
        arguments: [
            ("pairwise", nil, ["https://a.example/cb", "https://b.example/cb"], nil, .documentRequired),
            ("pairwise", nil, ["https://a.example/cb", "http://localhost/cb"], nil, .documentRequired),
            ("public", nil, ["https://a.example/cb", "https://b.example/cb"], nil, nil),
            ("pairwise", nil, ["https://a.example/cb", "https://a.example/other"], nil, nil),
            ("pairwise", document, ["https://a.example/cb"], nil, .unreachable),
            ("pairwise", document, ["https://a.example/cb"], [], .addressMissing),
            ("pairwise", document, ["https://a.example/cb"], ["https://a.example/CB"], .addressMissing),
            ("public", document, ["https://a.example/cb"], ["https://b.example/cb"], .addressMissing),
            (
                "pairwise", document, ["https://a.example/cb", "https://b.example/cb"],
                ["https://b.example/cb", "https://a.example/cb", "https://c.example/cb"], nil
            ),
        ] as [(String, String?, [String], [String]?, SectorFault?)])
    func check(
        type: String, address: String?, redirects: [String], listed: [String]?, fault: SectorFault?
    ) throws {
        var json: JSONObject = ["subject_type": .string(type)]
        json["sector_identifier_uri"] = address.map(JSON.string)
        let settings = try OpenIDSettings(parsing: json)
        let read = try listed.map {
            try SectorDocument(parsing: JSON.array($0.map(JSON.string)).bytes(), at: Self.document)
        }
        var found: SectorFault?
        do throws(SectorFault) {
            try Sector.check(settings, redirectURIs: redirects, in: read)
        } catch {
            found = error
        }
        #expect(found == fault)
    }

    @Test("The document of another address proves nothing")
    func otherDocument() throws {
        let read = try SectorDocument(
            parsing: Array(#"["https://a.example/cb"]"#.utf8), at: "https://elsewhere.example/sector.json")
        let settings = try OpenIDSettings(parsing: ["sector_identifier_uri": .string(Self.document)])
        #expect(throws: SectorFault.unreachable) {
            try Sector.check(settings, redirectURIs: ["https://a.example/cb"], in: read)
        }
    }

    @Test("A document is a JSON list of texts", arguments: ["{}", "[1]", "<html>", #"{"redirect_uris": []}"#])
    func notAList(text: String) {
        #expect(throws: SectorFault.notAList) {
            try SectorDocument(parsing: Array(text.utf8), at: Self.document)
        }
    }

    @Test("An app that registers itself may ask for pairwise subjects, and hears which member is wrong")
    func metadata() throws {
        let asked = try ClientMetadata([
            "redirect_uris": ["https://a.example/cb"], "subject_type": "pairwise",
            "sector_identifier_uri": .string(Self.document),
        ])
        #expect(asked.json["subject_type"] == "pairwise")
        #expect(asked.json["sector_identifier_uri"]?.string == Self.document)
        #expect(throws: SectorFault.unreachable) { try asked.checkSector(in: nil) }
        let plain = try ClientMetadata(["redirect_uris": ["https://a.example/cb"], "subject_type": .null])
        #expect(plain.openID.subjectType == .public && plain.json["subject_type"] == nil)
        for (member, value) in [
            ("subject_type", "anonymous"), ("sector_identifier_uri", "http://a.example/sector.json"),
            ("sector_identifier_uri", "sector"),
        ] {
            var json: JSONObject = ["redirect_uris": ["https://a.example/cb"]]
            json[member] = .string(value)
            #expect {
                try ClientMetadata(json)
            } throws: { error in
                let fault = error as? ClientMetadata.Fault
                return fault?.code == "invalid_client_metadata" && fault?.description.hasPrefix(member) == true
            }
        }
    }

    @Test("The desk reads the document with each change of addresses, and no pairwise app gets another vendor's API")
    func desk() async throws {
        try await withPeople { people in
            let far = FarSide()
            let list: JSON = ["https://a.example/cb", "https://b.example/cb"]
            far[Self.document] = .init { _ in .success(HTTPResponse(status: 200, body: list.bytes())) }
            let desk = try ClientDesk(
                desk: people.desk, keys: People.keys, providers: [], sectors: SectorDocuments(transport: far))
            let openID: JSON = ["subject_type": "pairwise", "sector_identifier_uri": .string(Self.document)]
            func change(_ members: JSONObject) async throws {
                _ = try await desk.change("rp", ClientChange(members), because: People.reason, by: People.commandLine)
            }
            let sent: JSONObject = [
                "providers": [], "redirect_uris": ["https://a.example/cb", "https://b.example/cb"], "openid": openID,
            ]
            let made = try await desk.create(
                "rp", ClientChange(sent), isConfidential: false, because: People.reason, by: People.commandLine)
            #expect(made.client["openid"] == openID && far.calls.count == 1)
            let missing = AdminRefusal.invalidMember(
                pointer: "/openid/sector_identifier_uri", reason: "lacks_a_redirect_address")
            await #expect(throws: missing) { try await change(["redirect_uris": ["https://c.example/cb"]]) }
            try await change(["redirect_uris": ["https://b.example/cb"]])
            #expect(far.calls.count == 3)
            // Nothing else reads it.
            try await change(["name": "RP"])
            #expect(far.calls.count == 3)
            let app: JSON = ["pool_id": "eu-central-1_Abc123XYZ", "client_id": "4everything"]
            let beside = AdminRefusal.invalidMember(pointer: "/openid/subject_type", reason: "not_with_dialects")
            await #expect(throws: beside) { try await change(["dialects": ["cognito": app]]) }
            let several = AdminRefusal.invalidMember(
                pointer: "/openid/sector_identifier_uri", reason: "required_with_several_hosts")
            await #expect(throws: several) {
                try await change([
                    "openid": ["subject_type": "pairwise"],
                    "redirect_uris": ["https://a.example/cb", "https://b.example/cb"],
                ])
            }
        }
    }
}
