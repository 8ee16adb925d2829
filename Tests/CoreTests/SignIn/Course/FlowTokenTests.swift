import Foundation
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("Flow tokens")
struct FlowTokenTests {
    private let flow = UUID()

    @Test("names its row, its client and its revision", arguments: FlowKind.allCases, [nil, 0, 1, 70_000])
    func roundTrip(_ kind: FlowKind, _ revision: Int?) throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        let reference = FlowReference(flow, kind, client: "app", revision: revision)
        #expect(try flows.parse(flows.text(reference), kind) == reference)
        #expect(flows.kind(of: flows.text(reference)) == kind)
    }

    @Test("a flow token of one step is refused at another")
    func boundToStep() throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        let text = flows.text(FlowReference(flow, .signUp, client: "app"))
        #expect(throws: Rejection.flowExpired) { try flows.parse(text, .linkAccount) }
    }

    @Test(
        "made-up tokens are expired flows",
        arguments: ["", "fl_", "fl_AAAA", "rt_AAAA", "fl_" + String(repeating: "A", count: 48)])
    func madeUp(_ text: String) throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        #expect(throws: Rejection.flowExpired) { try flows.parse(text, .signUp) }
        #expect(flows.kind(of: text) == nil)
    }

    @Test("a token with one changed character is refused", arguments: [nil, 7])
    func boundToContent(revision: Int?) throws {
        let flows = FlowTokens(keys: try TestKeys.keys("a"))
        let text = flows.text(FlowReference(flow, .signUp, client: "app", revision: revision))
        for index in text.indices.dropFirst(3) {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(throws: Rejection.flowExpired) { try flows.parse(changed, .signUp) }
        }
    }
}
