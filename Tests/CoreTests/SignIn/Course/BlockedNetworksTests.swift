import Testing

@testable import Sessions
@testable import SignIn

@Suite("Blocked networks")
struct BlockedNetworksTests {
    /// Three at once, one in ten seconds.
    private static let network = Throttle(bucket: [1], burst: 3, periodMilliseconds: 10_000)
    private static let wider = Throttle(bucket: [2], burst: 48, periodMilliseconds: 625)
    private let start = ContinuousClock.now
    private let networks = BlockedNetworks()

    private func wait(after seconds: Int, _ list: [Throttle] = [network]) -> Double {
        networks.wait(of: list, at: start + .seconds(seconds))
    }

    @Test("wait, then have one attempt per period")
    func turns() {
        #expect(wait(after: 0) == 0)
        networks.block([Self.network, Self.wider], for: [10, 0], at: start)
        #expect(wait(after: 4) == 6)
        #expect(wait(after: 4, [Self.wider]) == 0)
        #expect(wait(after: 4, [Self.wider, Self.network]) == 6)
        #expect(wait(after: 10) == 0)
        #expect(wait(after: 10) == 10)
        #expect(wait(after: 20) == 0)
    }

    @Test("are unblocked by a successful sign-in, and get another attempt after an unclear answer")
    func ends() {
        networks.block([Self.network], for: [10], at: start)
        #expect(wait(after: 10) == 0)
        networks.returnTurn([Self.network], at: start + .seconds(12))
        #expect(wait(after: 12) == 0)
        #expect(wait(after: 12) == 10)
        networks.unblock([Self.network])
        for _ in 0..<3 { #expect(wait(after: 12) == 0) }
        networks.returnTurn([Self.network], at: start)
        #expect(wait(after: 12) == 0)
    }

    @Test("are forgotten when the database has deleted their requests")
    func forgotten() {
        networks.block([Self.network], for: [10], at: start)
        for _ in 0..<3 { #expect(wait(after: 41) == 0) }
    }

    @Test("have a limited number")
    func bounded() {
        let crowd = (0..<10_001).map { number in
            Throttle(bucket: [3, UInt8(number >> 8), UInt8(number & 0xFF)], burst: 3, periodMilliseconds: 10_000)
        }
        networks.block(crowd, for: crowd.map { _ in 10 }, at: start)
        #expect(wait(after: 1, [crowd[0]]) == 0)
    }
}
