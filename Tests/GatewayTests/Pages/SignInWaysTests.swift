import Testing

@testable import Web

@Suite("The ways to sign in, in their order")
struct SignInWaysTests {
    private static let buttons = ["apple", "google", "github", "acme"].map {
        ProviderButton(id: $0, name: $0, address: "/login/\($0)")
    }
    private static let passkey = PasskeyOffer(hidden: [], options: "{}", isSuggested: true)

    private func ways(_ count: Int, passkey: Bool = true, usedLast: String? = nil, inSight: Int = 1) -> SignInWays {
        SignInWays(
            Array(Self.buttons.prefix(count)), passkey ? Self.passkey : nil, usedLast: usedLast, inSight: inSight)
    }

    @Test("a passkey is the most likely one; the providers are below, in the app's order")
    func passkey() {
        let ways = ways(4)
        #expect(ways.providers.isEmpty && !ways.isPasskeyOther && !ways.isUsedLast)
        #expect(ways.others.map(\.id) == ["apple", "google", "github", "acme"])
    }

    @Test("the provider used last comes first, and the passkey is below")
    func usedLast() {
        let ways = ways(4, usedLast: "github")
        #expect(ways.providers.map(\.id) == ["github"])
        #expect(ways.others.map(\.id) == ["apple", "google", "acme"])
        #expect(ways.isUsedLast && ways.isPasskeyOther)
    }

    @Test("a method that the app does not offer changes nothing", arguments: ["facebook", "password", "", "<b>"])
    func unknown(method: String) {
        #expect(ways(4, usedLast: method) == ways(4))
    }

    @Test("a single one that is left is in sight too")
    func single() {
        #expect(ways(1).providers.map(\.id) == ["apple"])
        #expect(ways(1).others.isEmpty && !ways(1).isPasskeyOther)
        #expect(ways(2, passkey: false).providers.map(\.id) == ["apple", "google"])
        let used = ways(1, usedLast: "apple")
        #expect(used.providers.map(\.id) == ["apple"] && !used.isPasskeyOther)
    }

    @Test("without sign-in by name three are in sight")
    func withoutName() {
        let ways = ways(4, inSight: 3)
        #expect(ways.providers.map(\.id) == ["apple", "google"])
        #expect(ways.others.map(\.id) == ["github", "acme"] && !ways.isPasskeyOther)
        #expect(self.ways(4, passkey: false, inSight: 3).others.isEmpty)
    }
}
