import Testing

@testable import Web

@Suite("The ways to sign in, in their order")
struct SignInWaysTests {
    private static let passkey = PasskeyOffer(hidden: [], options: "{}", isSuggested: true)

    private func ways(_ ids: [String], usedLast: String? = nil) -> SignInWays {
        SignInWays(
            ids.map { ProviderButton(id: $0, name: $0, address: "/login/\($0)") }, Self.passkey, usedLast: usedLast)
    }

    @Test("three providers have whole buttons, in the app's order, and the other brands are icons")
    func order() {
        let three = ways(["google", "apple", "github"])
        #expect(three.providers.map(\.id) == ["google", "apple", "github"])
        #expect(three.icons.isEmpty && three.others.isEmpty && !three.isUsedLast)
        let five = ways(["google", "apple", "github", "microsoft", "discord"])
        #expect(five.providers.map(\.id) == ["google", "apple", "github"])
        #expect(five.icons.map(\.id) == ["microsoft", "discord"])
    }

    @Test("an icon without a brand says nothing, and a seventh one has no room: both are among the other ways")
    func others() {
        let icons = ["github", "microsoft", "discord", "facebook", "line", "x"]
        let ways = ways(["google", "apple", "acme", "works", "example"] + icons + ["amazon"])
        #expect(ways.providers.map(\.id) == ["google", "apple", "acme"])
        #expect(ways.icons.map(\.id) == icons)
        #expect(ways.others.map(\.id) == ["works", "example", "amazon"])
    }

    @Test("the provider used last comes first")
    func usedLast() {
        let ways = ways(["google", "apple", "github", "microsoft"], usedLast: "microsoft")
        #expect(ways.providers.map(\.id) == ["microsoft", "google", "apple"])
        #expect(ways.icons.map(\.id) == ["github"])
        #expect(ways.isUsedLast)
    }

    @Test("a brand that may not be smaller than others has a whole button, at any place in the app's order")
    func neverSmaller() {
        let ways = ways(["google", "github", "microsoft", "discord", "apple"], usedLast: "discord")
        #expect(ways.providers.map(\.id) == ["discord", "google", "apple"])
        #expect(ways.icons.map(\.id) == ["github", "microsoft"])
    }

    @Test("a method that the app does not offer changes nothing", arguments: ["facebook", "password", "", "<b>"])
    func unknown(method: String) {
        let ids = ["google", "apple", "github", "microsoft"]
        #expect(ways(ids, usedLast: method) == ways(ids))
    }
}
