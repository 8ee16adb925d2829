import Cryptography
import Settings
import Testing
import Vocabulary

@testable import GatewaySettings

@Suite("The configuration of bot checks")
struct BotCheckConfigurationTests {
    private static let complete = [
        "BOT_CHECK_WIDGET": "hcaptcha", "BOT_CHECK_SITE_KEY": "site", "BOT_CHECK_SECRET": "hush",
    ]

    @Test("there are none without settings, and all three keys make one")
    func read() throws {
        #expect(try Configurations.read().botChecks == nil)
        let checks = try #require(try Configurations.read(Self.complete).botChecks)
        #expect(checks.widget == BotWidget(.hcaptcha, siteKey: "site") && checks.secret == Secret("hush"))
        #expect(checks.url == nil && checks.freePerHour == 10)
    }

    @Test("a missing key is named, and so is the key that needs it", arguments: complete.keys.sorted())
    func missing(key: String) throws {
        let complaints = Configurations.complaints(Self.complete.merging([key: ""]) { $1 })
        #expect(complaints.count == 1 && complaints.first?.hasPrefix("\(key): is missing: BOT_CHECK_") == true)
    }

    @Test("an address alone, an unknown widget and an address without https are refused")
    func refused() {
        let alone = Configurations.complaints(["BOT_CHECK_URL": "https://check.ducks.org/siteverify"])
        #expect(alone.count == 3 && alone.allSatisfy { $0.hasSuffix("is missing: BOT_CHECK_URL is set") })
        let unknown = Configurations.complaints(Self.complete.merging(["BOT_CHECK_WIDGET": "riddle"]) { $1 })
        #expect(unknown == ["BOT_CHECK_WIDGET: must be one of: turnstile, hcaptcha, recaptcha"])
        let plain = Configurations.complaints(
            Self.complete.merging([
                "BOT_CHECK_URL": "http://check.ducks.org/", "INSECURE_ALLOW_LOCAL_PROVIDERS": "false",
            ]) { $1 })
        #expect(plain.count == 1 && plain.first?.hasPrefix("BOT_CHECK_URL: must be https") == true)
    }
}
