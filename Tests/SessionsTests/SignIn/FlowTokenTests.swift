import Foundation
import Testing

@testable import Sessions

@Suite("Flow tokens")
struct FlowTokenTests {
    private let flow = UUID()

    @Test("names its row and its client", arguments: FlowKind.allCases)
    func roundTrip(_ kind: FlowKind) throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        let parsed = try flows.parse(flows.text(flow, kind, client: "app"), kind)
        #expect(parsed.flow == flow)
        #expect(parsed.client == "app")
        #expect(flows.kind(of: flows.text(flow, kind, client: "app")) == kind)
    }

    @Test("a proof for one step doesn't count for another")
    func boundToStep() throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        let text = flows.text(flow, .signUp, client: "app")
        #expect(throws: Rejection.flowExpired) { try flows.parse(text, .linkAccount) }
    }

    @Test(
        "made-up tokens are expired flows",
        arguments: ["", "fl_", "fl_AAAA", "rt_AAAA", "fl_" + String(repeating: "A", count: 48)])
    func nobodys(_ text: String) throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        #expect(throws: Rejection.flowExpired) { try flows.parse(text, .signUp) }
        #expect(flows.kind(of: text) == nil)
    }

    @Test("another client's name cannot be inserted")
    func boundToClient() throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        let text = flows.text(flow, .signUp, client: "app")
        for index in text.indices.dropFirst(3) {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(throws: Rejection.flowExpired) { try flows.parse(changed, .signUp) }
        }
    }
}
