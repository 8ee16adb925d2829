import Testing

@testable import Messages
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

@Suite("Throttles")
struct ThrottlesTests {
    private static let limits = ThrottleLimits(
        accountBurst: 10, accountPerHour: 60, addressBurst: 100, addressPerMinute: 60, clientPerMinute: 6_000,
        smsAddressPerHour: 10, smsClientPerHour: 2_000, wrongAddressPerHour: 60,
        linkAddressPerHour: 30, mailAddressPerHour: 120, mailClientPerHour: 10_000)

    private func throttles() throws -> Throttles { Throttles(keys: try TestKeys.keys("a"), limits: Self.limits) }

    @Test(
        "P-06: an IPv6 visitor is a /64, an IPv4 visitor an address",
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff:eeee:dddd:cccc", true),
            ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
            ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("fe80::1%eth0", "fe80::2", true),
        ])
    func networks(_ one: String, _ other: String, _ same: Bool) {
        #expect((NetworkBlock.blocks(of: one).first == NetworkBlock.blocks(of: other).first) == same)
    }

    @Test("P-06: an IPv6 visitor is also charged to the /48, which has sixteen times the budget, for every bucket")
    func widerNetworks() throws {
        let throttles = try throttles()
        let text = Destination.phone(try #require(PhoneNumber("+491701234567")))
        func prices(_ address: String) -> [[Throttle]] {
            [
                throttles.start(address: address), throttles.wrongAnswers(address: address),
                Array(throttles.message(to: text, address: address, client: "app")[2...3]),
            ]
        }
        let all = zip(prices("2001:db8:1:2::1"), zip(prices("2001:db8:1:3::1"), prices("2001:db8:2:2::1")))
        for (own, (neighbours, elsewhere)) in all {
            try #require(own.count == 2)
            #expect(own[0] != neighbours[0] && own[1] == neighbours[1] && own[1] != elsewhere[1])
            #expect(own[1].burst == 16 * own[0].burst)
            #expect(own[1].periodMilliseconds == own[0].periodMilliseconds / 16)
        }
        #expect(throttles.start(address: "::ffff:192.0.2.1") == throttles.start(address: "192.0.2.1"))
        #expect(throttles.start(address: "192.0.2.1").count == 1)
    }

    @Test("F7, P-10: a stranger is charged to name and client, and the buckets of guesses sort before the others")
    func purses() throws {
        let throttles = try throttles()
        let stranger = throttles.passwordAttempt(name: "ann", client: "app")
        let other = throttles.passwordAttempt(name: "bob", client: "app")
        #expect(stranger.count == 2 && stranger[0] != other[0] && stranger[1] == other[1])
        let others = throttles.guest(address: "192.0.2.1", client: "app").map(\.bucket)
        let guesses = stranger.map(\.bucket) + [throttles.guessBucket(for: "ann")]
        #expect(guesses.allSatisfy { guess in others.allSatisfy { guess[0] > 0 && guess[0] < $0[0] } })
    }

    @Test("F4: a mail counts against the mailbox, the app and the network; spellings with a tag are one mailbox")
    func mails() throws {
        let throttles = try throttles()
        func price(_ mailbox: String, from address: String = "192.0.2.1", app: String = "app") throws -> [Throttle] {
            throttles.message(
                to: .email(try #require(EmailAddress(mailbox))), address: address, client: app)
        }
        let own = try price("ann@example.com")
        #expect(own.map(\.burst) == [5, 10_000, 120, 100])
        #expect(own.map(\.periodMilliseconds) == [600_000, 360, 30_000, 1_000])
        #expect(try price("Ann+1@example.com") == own)
        #expect(try price("bob@example.com").map { own.contains($0) } == [false, true, true, true])
        #expect(try price("ann@example.com", from: "192.0.2.2").map { own.contains($0) } == [true, true, false, false])
        #expect(try price("ann@example.com", app: "other").map { own.contains($0) } == [true, false, true, true])
    }

    @Test("rates follow the limits")
    func rates() throws {
        let throttles = try throttles()
        let price = throttles.passwordAttempt(name: "ann", client: "app") + throttles.start(address: "192.0.2.1")
        #expect(price.map(\.burst) == [10, 6_000, 100])
        #expect(price.map(\.periodMilliseconds) == [60_000, 10, 1_000])
    }

    @Test(
        "mails and text messages are charged to recipient, app and network, in separate budgets"
    )
    func messages() throws {
        let mail = try throttles().message(
            to: .email(try #require(EmailAddress("Ann@example.com"))), address: "192.0.2.1", client: "app")
        #expect(mail.map(\.burst) == [5, 10_000, 120, 100])
        #expect(mail.map(\.periodMilliseconds) == [600_000, 360, 30_000, 1_000])
        let sms = try throttles().message(
            to: .phone(try #require(PhoneNumber("+49 170 1234567"))), address: "192.0.2.1", client: "app")
        #expect(sms.map(\.burst) == [5, 2_000, 10, 100])
        #expect(sms.map(\.periodMilliseconds) == [600_000, 1_800, 360_000, 1_000])
        #expect(Set((mail + sms).map(\.bucket)).count == 7)
        #expect(mail[3] == sms[3])
    }

    @Test("L-22: guests are charged to app and network, with the numbers of mails in budgets of their own")
    func guests() throws {
        let throttles = try throttles()
        let guest = throttles.guest(address: "192.0.2.1", client: "app")
        #expect(guest.map(\.burst) == [10_000, 120, 100])
        let mail = throttles.furtherMail(address: "192.0.2.1", client: "app")
        #expect(Set(guest.map(\.bucket)).isDisjoint(with: mail.map(\.bucket)))
        #expect(guest.suffix(1) == throttles.start(address: "192.0.2.1").suffix(1))
        #expect(throttles.guest(address: "192.0.2.1", client: "other")[0] != guest[0])
    }

    @Test("spellings of a mailbox or number share a bucket, and addresses of one /64 do")
    func spellings() throws {
        let throttles = try throttles()
        let mails = try ["Ann@example.com", "ann@EXAMPLE.com"].map {
            throttles.message(to: .email(try #require(EmailAddress($0))), address: "192.0.2.1", client: "app")
        }
        #expect(mails[0] == mails[1])
        let texts = try [("+491701234567", "2001:db8::1"), ("+49 (170) 123-4567", "2001:db8::2")].map {
            throttles.message(to: .phone(try #require(PhoneNumber($0.0))), address: $0.1, client: "app")
        }
        #expect(texts[0] == texts[1])
    }

    @Test("J-29: provider requests have their own budget, a third of the network's, and never zero")
    func providerRequests() throws {
        let throttles = try throttles()
        let price = throttles.providerRequest(address: "192.0.2.1")
        #expect(price.map(\.burst) == [33] && price.map(\.periodMilliseconds) == [3_000])
        #expect(Set(price.map(\.bucket)).isDisjoint(with: throttles.start(address: "192.0.2.1").map(\.bucket)))
        #expect(throttles.providerRequest(address: "2001:db8:1:2::1").map(\.burst) == [33, 528])
        var limits = Self.limits
        (limits.addressBurst, limits.addressPerMinute) = (2, 1)
        let least = Throttles(keys: try TestKeys.keys("a"), limits: limits).providerRequest(address: "192.0.2.1")
        #expect(least.map(\.burst) == [1] && least.map(\.periodMilliseconds) == [60_000])
    }

    @Test("the table contains no names")
    func names() throws {
        let bucket = try throttles().passwordAttempt(name: "ann", client: "app")[0].bucket
        #expect(bucket.count == 16)
        let elsewhere = Throttles(keys: try TestKeys.keys("b"), limits: Self.limits)
        #expect(elsewhere.passwordAttempt(name: "ann", client: "app")[0].bucket != bucket)
    }
}

@Suite("Known devices")
struct KnownDevicesTests {
    @Test("a mark is valid for its name only, and the database keeps its digest")
    func boundToName() throws {
        let devices = KnownDevices(keys: try TestKeys.keys("a"))
        let mark = devices.new(for: "ann")
        #expect(devices.presented(mark.token, for: "ann") == mark)
        #expect(devices.presented(mark.token, for: "bob") == nil)
        #expect(mark.digest.count == 32)
    }

    @Test("a made-up mark is refused", arguments: [nil, "", "dt_", "dt_" + String(repeating: "A", count: 43)])
    func madeUp(_ mark: String?) throws {
        #expect(KnownDevices(keys: try TestKeys.keys("a")).presented(mark, for: "ann") == nil)
    }

    @Test("marks are unique")
    func fresh() throws {
        let devices = KnownDevices(keys: try TestKeys.keys("a"))
        #expect(devices.new(for: "ann") != devices.new(for: "ann"))
    }
}
