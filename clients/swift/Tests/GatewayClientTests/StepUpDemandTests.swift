import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private let denied = #"error="insufficient_user_authentication""#

@Suite("A back end's demand for a step-up (RFC 9470)")
struct StepUpDemandTests {
    @Test(
        "A demand is read by the grammar of RFC 9110",
        arguments: [
            // RFC 9470 section 3.
            (
                #"Bearer \#(denied), error_description="A different authentication level", acr_values="myACR""#,
                ["myACR"],
                nil
            ),
            (#"Bearer \#(denied), error_description="More recent", max_age="5""#, [], 5),
            (#"DPoP algs="ES256", \#(denied), acr_values="2  3", max_age=0"#, ["2", "3"], 0),
            ("bearer ERROR=insufficient_user_authentication, ACR_VALUES=2", ["2"], nil),
            (#"Bearer realm="a, DPoP \"x\" \\", \#(denied)"#, [], nil),
            (#"Bearer realm = "ä" ,, \#(denied)\#t, acr_values = "\2""#, ["2"], nil),
            (#"Negotiate, Basic realm="a", Digest abc==, Bearer \#(denied), acr_values="2", Basic x=1"#, ["2"], nil),
            (#"Bearer error="invalid_token", DPoP \#(denied), max_age="60""#, [], 60),
        ] as [(String, [String], Int?)])
    func demand(_ header: String, _ acrValues: [String], _ maxAge: Int?) throws {
        let demand = try #require(StepUpDemand(wwwAuthenticate: header))
        #expect(demand.acrValues == acrValues)
        #expect(demand.maxAge == maxAge)
    }

    static let others: [String?] = [
        nil, "", ",", " ", "Bearer", "Basic \(denied)", #"Bearer error="invalid_token""#, "Bearer abc==",
        #"Bearer realm="error=insufficient_user_authentication""#,
    ]

    static let broken =
        [
            denied, "=", "\"", #"Bearer \#(denied), realm="a"#, #"Bearer \#(denied), realm="a\""#,
            #"Bearer \#(denied) acr_values="2""#, "Bearer \(denied), \(denied)", "Bearer \(denied), realm=",
            #"Bearer \#(denied), realm="a"b"#, "Bearer \(denied), =x", "Bearer \(denied), realm=\"a\0\"",
            #"Bearer \#(denied), réalm="a""#, #"Basic abc=, realm="a", Bearer \#(denied)"#,
            "Bearer abc=d=, Bearer \(denied)",
        ]
        + ["-1", "+1", "1.5", "", "a", "5 ", "٣", "99999999999999999999"].map {
            #"Bearer \#(denied), max_age="\#($0)""#
        }

    @Test("Anything else is no demand", arguments: others + broken)
    func other(_ header: String?) { #expect(StepUpDemand(wwwAuthenticate: header) == nil) }

    @Test("A long header is read in a moment")
    func long() {
        let escapes = #"Bearer a=""# + String(repeating: "\\", count: 100_001)
        let quotes = String(repeating: #"Bearer a=""#, count: 20_000)
        for text in [quotes, String(repeating: "a,", count: 50_000), escapes] {
            #expect(StepUpDemand(wwwAuthenticate: text) == nil)
        }
    }

    @Test("A 401 with a demand is not repeated with a new token: the app has to ask the user")
    func notRepeated() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        let challenge = #"Bearer \#(denied), acr_values="2", max_age="60""#
        await rehearsal.transport.add(.answer(401, nil, ["WWW-Authenticate": challenge]))
        let url = try #require(URL(string: "https://api.example.com/payments"))
        let (_, response) = try await session.data(for: URLRequest(url: url))
        let demand = try #require(StepUpDemand(response))
        #expect(demand.acrValues == ["2"])
        #expect(demand.maxAge == 60)
        #expect(await rehearsal.transport.received.count == 2)
    }

    @Test("Only a 401 is a demand")
    func status() throws {
        let url = try #require(URL(string: "https://api.example.com/"))
        let fields = ["WWW-Authenticate": "Bearer \(denied)"]
        for (status, isDemand) in [(401, true), (403, false), (200, false)] {
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
            #expect((StepUpDemand(try #require(response)) != nil) == isDemand)
        }
    }
}
