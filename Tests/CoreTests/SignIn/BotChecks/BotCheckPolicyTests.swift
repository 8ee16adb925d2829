import Testing

@testable import Clients
@testable import Sessions

@Suite("The policy of bot checks")
struct BotCheckPolicyTests {
    @Test(
        "an app asks never, beyond the budget, or always",
        arguments: [
            (BotCheckPolicy.off, false, false), (.off, true, false), (.beyondBudget, false, false),
            (.beyondBudget, true, true), (.always, false, true), (.always, true, true),
        ])
    func demands(policy: BotCheckPolicy, isBeyondBudget: Bool, isAsked: Bool) {
        #expect(policy.demandsCheck(isBeyondBudget: isBeyondBudget) == isAsked)
    }

    @Test("only an app with a budget counts requests")
    func counts() {
        #expect(BotCheckPolicy.allCases.filter(\.counts) == [.beyondBudget])
    }

    @Test("the words are those of the database and the API")
    func words() {
        #expect(BotCheckPolicy.allCases.map(\.rawValue) == ["off", "beyond_budget", "always"])
    }

    @Test("the budget counts a network, with sixteen times the budget for the network around it")
    func buckets() throws {
        let throttles = Throttles(keys: try TestKeys.keys("a"), limits: .test)
        let one = throttles.uncheckedRequest(address: "2001:db8:1:2::1", perHour: 10)
        let neighbour = throttles.uncheckedRequest(address: "2001:db8:1:2::2", perHour: 10)
        #expect(one == neighbour && one.map(\.burst) == [10, 160])
        #expect(one.map(\.periodMilliseconds) == [360_000, 22_500])
        #expect(throttles.uncheckedRequest(address: "192.0.2.1", perHour: 10).count == 1)
    }
}
