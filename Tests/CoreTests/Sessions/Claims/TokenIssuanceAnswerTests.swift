import JSON
import Outbound
import Sessions
import Testing

@Suite("The answer of a claims service")
struct TokenIssuanceAnswerTests {
    private static let action: JSON = [
        "@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken",
        "claims": ["tier": "gold", "groups": ["a", "b"]],
    ]

    private static func body(_ actions: JSON, type: JSON = "microsoft.graph.onTokenIssuanceStartResponseData") -> JSON {
        ["data": ["@odata.type": type, "actions": actions]]
    }

    private static func providing(_ claims: JSON) -> JSON {
        body([["@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken", "claims": claims]])
    }

    private static func fault(
        _ json: JSON, status: Int = 200, type: String = "application/json"
    ) -> TokenIssuanceAnswer.Fault? {
        do {
            _ = try TokenIssuanceAnswer.claims(
                in: HTTPResponse(status: status, headers: [("Content-Type", type)], body: json.bytes()))
            return nil
        } catch {
            return error
        }
    }

    @Test("texts and lists of texts are accepted")
    func good() throws {
        let claims = try TokenIssuanceAnswer.claims(
            in: HTTPResponse(
                status: 200, headers: [("Content-Type", "application/json; charset=utf-8")],
                body: Self.body([Self.action]).bytes()))
        #expect(claims == ["tier": "gold", "groups": ["a", "b"]])
    }

    @Test("an empty object adds no claims")
    func empty() { #expect(Self.fault(Self.providing([:])) == nil) }

    @Test("any other answer is refused")
    func faults() {
        #expect(Self.fault(Self.body([Self.action]), status: 201) == .status)
        #expect(Self.fault(Self.body([Self.action]), type: "text/plain") == .contentType)
        #expect(Self.fault(Self.body([])) == .actions)
        #expect(Self.fault(Self.body([Self.action, Self.action])) == .actions)
        #expect(Self.fault(Self.body([Self.action], type: "microsoft.graph.other")) == .dataType)
        #expect(Self.fault(Self.body([["@odata.type": "other", "claims": [:]]])) == .actionType)
        #expect(Self.fault(Self.providing(.null)) == .claims)
        #expect(Self.fault(Self.providing(["": "x"])) == .key)
        #expect(Self.fault(Self.providing([:]), status: 500) == .status)
        for value: JSON in [3, true, .null, [:], [1], ["a", .null], 1.5] {
            #expect(Self.fault(Self.providing(["tier": value])) == .value, "\(value)")
        }
    }

    @Test("keys and values together may have 3 KB", arguments: [(3_072, true), (3_073, false)])
    func size(bytes: Int, fits: Bool) {
        let text = String(repeating: "x", count: bytes - "tier".utf8.count)
        #expect(Self.fault(Self.providing(["tier": .string(text)])) == (fits ? nil : .size))
    }
}
