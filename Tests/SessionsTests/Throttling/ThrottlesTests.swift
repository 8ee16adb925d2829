import Accounts
import Testing

@testable import Sessions

@Suite("Throttles")
struct ThrottlesTests {
    private static let limits = ThrottleLimits(
        accountBurst: 10, accountPerHour: 60, addressBurst: 100, addressPerMinute: 60, clientPerMinute: 6_000,
        smsAddressPerHour: 10)

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
        #expect((NetworkBlock.name(of: one) == NetworkBlock.name(of: other)) == same)
    }

    @Test("a stranger pays for the account, the address and the client; a known device for itself")
    func purses() throws {
        let throttles = try throttles()
        let stranger = throttles.passwordAttempt(name: "ann", address: "192.0.2.1", client: "app", knownDevice: nil)
        let known = throttles.passwordAttempt(name: "ann", address: "192.0.2.1", client: "app", knownDevice: [1, 2, 3])
        #expect(stranger.count == 3)
        #expect(known.count == 2)
        let shared = Set(stranger.map(\.bucket)).intersection(known.map(\.bucket))
        #expect(shared == [stranger[2].bucket])
    }

    @Test("rates are what the limits say")
    func rates() throws {
        let price = try throttles().passwordAttempt(name: "ann", address: "192.0.2.1", client: "app", knownDevice: nil)
        #expect(price.map(\.burst) == [10, 100, 6_000])
        #expect(price.map(\.periodMilliseconds) == [60_000, 1_000, 10])
    }

    @Test("a mail is paid for by mailbox and address, a text message by its number and by a narrower address too")
    func messages() throws {
        let mail = try throttles().message(
            to: .email(try #require(EmailAddress("Ann@example.com"))), address: "192.0.2.1")
        #expect(mail.map(\.burst) == [5, 100])
        #expect(mail.map(\.periodMilliseconds) == [600_000, 1_000])
        let sms = try throttles().message(
            to: .phone(try #require(PhoneNumber("+49 170 1234567"))), address: "192.0.2.1")
        #expect(sms.map(\.burst) == [5, 10, 100])
        #expect(sms.map(\.periodMilliseconds) == [600_000, 360_000, 1_000])
        #expect(Set((mail + sms).map(\.bucket)).count == 4)
        #expect(mail[1] == sms[2])
    }

    @Test("spellings of a mailbox or number share a bucket, and addresses of one /64 do")
    func spellings() throws {
        let throttles = try throttles()
        let mails = try ["Ann@example.com", "ann@EXAMPLE.com"].map {
            throttles.message(to: .email(try #require(EmailAddress($0))), address: "192.0.2.1")
        }
        #expect(mails[0] == mails[1])
        let texts = try [("+491701234567", "2001:db8::1"), ("+49 (170) 123-4567", "2001:db8::2")].map {
            throttles.message(to: .phone(try #require(PhoneNumber($0.0))), address: $0.1)
        }
        #expect(texts[0] == texts[1])
    }

    @Test("names are not in the table")
    func names() throws {
        let bucket = try throttles().passwordAttempt(
            name: "ann", address: "192.0.2.1", client: "app", knownDevice: nil)[0].bucket
        #expect(bucket.count == 16)
        let elsewhere = Throttles(keys: try TestKeys.keys("b"), limits: Self.limits)
        #expect(
            elsewhere.passwordAttempt(name: "ann", address: "192.0.2.1", client: "app", knownDevice: nil)[0].bucket
                != bucket)
    }
}

@Suite("Known devices")
struct KnownDevicesTests {
    @Test("a mark is good for its name only")
    func boundToName() throws {
        let devices = KnownDevices(keys: try TestKeys.keys("a"))
        let mark = devices.issue(for: "ann")
        #expect(devices.recognised(mark, for: "ann")?.count == 16)
        #expect(devices.recognised(mark, for: "bob") == nil)
    }

    @Test("a made-up mark is none", arguments: [nil, "", "dt_", "dt_" + String(repeating: "A", count: 43)])
    func madeUp(_ mark: String?) throws {
        #expect(KnownDevices(keys: try TestKeys.keys("a")).recognised(mark, for: "ann") == nil)
    }

    @Test("each device has a purse of its own")
    func ownPurse() throws {
        let devices = KnownDevices(keys: try TestKeys.keys("a"))
        #expect(
            devices.recognised(devices.issue(for: "ann"), for: "ann")
                != devices.recognised(devices.issue(for: "ann"), for: "ann"))
    }
}
