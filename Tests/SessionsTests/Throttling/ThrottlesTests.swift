import Testing

@testable import Sessions

@Suite("Throttles")
struct ThrottlesTests {
    private static let limits = ThrottleLimits(
        accountBurst: 10, accountPerHour: 60, addressBurst: 100, addressPerMinute: 60, clientPerMinute: 6_000)

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
