import Cryptography
import JSON
import Testing

@testable import Providers

/// The policy for key sets, as dialogues with its machine.
@Suite("The key set machine")
struct KeySetMachineTests {
    private let start = ContinuousClock.now

    private func after(_ seconds: Double) -> ContinuousClock.Instant {
        start + .milliseconds(Int(seconds * 1_000))
    }

    private func set(_ ids: [String] = ["a"]) throws -> JWKSet {
        let key = try TestKeys.issuer.publicKey
        return try JWKSet(
            parsing: Array(
                #"{"keys":[\#(ids.map { key.jwk(id: $0, algorithm: .RS256).text }.joined(separator: ","))]}"#.utf8),
            accepting: [.RS256])
    }

    private func word(_ step: KeySetMachine.Step) -> String {
        let word =
            switch step.answer {
            case .key: "key"
            case .unknown: "unknown"
            case .wait: "wait"
            case .unavailable(let seconds): "unavailable \(seconds)"
            }
        return step.startsFetch ? word + ", fetch" : word
    }

    private func ask(_ machine: inout KeySetMachine, _ id: String, _ seconds: Double) -> String {
        word(machine.look(for: id, algorithm: .RS256, at: after(seconds)))
    }

    private func filled(life: Int? = nil, jitter: Double = 0.5) throws -> KeySetMachine {
        var machine = KeySetMachine()
        #expect(ask(&machine, "a", 0) == "wait, fetch")
        machine.fetched(try set(), life: life, at: after(0), jitter: jitter)
        return machine
    }

    @Test("the first request starts one fetch, and all requests wait for it")
    func cold() throws {
        var machine = KeySetMachine()
        #expect(ask(&machine, "a", 0) == "wait, fetch")
        #expect(ask(&machine, "b", 1) == "wait")
        machine.fetched(try set(), life: nil, at: after(2), jitter: 0.5)
        #expect(ask(&machine, "a", 2) == "key")
        #expect(ask(&machine, "b", 2) == "wait, fetch", "the first fetch may have begun before b was published")
    }

    @Test("a set is refreshed in the background after four fifths of its life, without waiting")
    func background() throws {
        var machine = try filled()
        #expect(ask(&machine, "a", 2_879) == "key")
        #expect(ask(&machine, "a", 2_881) == "key, fetch")
        #expect(ask(&machine, "a", 2_882) == "key")
        machine.fetchFailed(at: after(2_883), jitter: 0)
        #expect(ask(&machine, "a", 2_887) == "key")
        #expect(ask(&machine, "a", 2_889) == "key, fetch")
    }

    @Test(
        "a lifetime is limited to ten minutes to a day",
        arguments: [(5, 480), (600, 480), (1_000, 800), (86_400, 69_120), (9_000_000, 69_120)])
    func life(row: (life: Int, due: Double)) throws {
        var machine = try filled(life: row.life)
        #expect(ask(&machine, "a", row.due - 1) == "key")
        #expect(ask(&machine, "a", row.due + 1) == "key, fetch")
    }

    @Test("jitter moves the refresh by a twentieth of the lifetime to either side")
    func jitter() throws {
        var early = try filled(jitter: 0)
        #expect(ask(&early, "a", 2_701) == "key, fetch")
        var late = try filled(jitter: 0.999)
        #expect(ask(&late, "a", 3_055) == "key")
        #expect(ask(&late, "a", 3_061) == "key, fetch")
    }

    @Test("K7: an unknown id forces one fetch in 60 s, counted from its start; other ids wait for the next one")
    func coolDown() throws {
        var machine = try filled()
        #expect(ask(&machine, "y", 10) == "wait, fetch")
        #expect(ask(&machine, "z", 11) == "wait")
        machine.fetched(try set(), life: nil, at: after(12), jitter: 0.5)
        #expect(ask(&machine, "y", 12) == "unknown")
        #expect(ask(&machine, "z", 12) == "unavailable 59", "its question came after the fetch had begun")
        #expect(ask(&machine, "w", 69.5) == "unavailable 1")
        #expect(ask(&machine, "y", 69.9) == "unknown")
        #expect(ask(&machine, "z", 70.1) == "wait, fetch")
        machine.fetched(try set(["z"]), life: nil, at: after(71), jitter: 0.5)
        #expect(ask(&machine, "z", 71) == "key")
    }

    @Test("K7: an id missing from a fetch is unknown until the next fetch")
    func negative() throws {
        var machine = try filled()
        #expect(ask(&machine, "x", 50) == "wait, fetch")
        machine.fetched(try set(), life: nil, at: after(51), jitter: 0.5)
        #expect(ask(&machine, "x", 109) == "unknown")
        #expect(ask(&machine, "x", 110.1) == "wait, fetch")
    }

    @Test("a fetch that finds the id ends the cool-down, because the keys have changed")
    func rotated() throws {
        var machine = try filled()
        #expect(ask(&machine, "b", 50) == "wait, fetch")
        machine.fetched(try set(["b"]), life: nil, at: after(51), jitter: 0.5)
        #expect(ask(&machine, "b", 52) == "key")
        #expect(ask(&machine, "a", 52) == "wait, fetch", "a dropped key is dead at once")
        machine.fetched(try set(["b"]), life: nil, at: after(53), jitter: 0.5)
        #expect(ask(&machine, "a", 53) == "unknown")
        #expect(ask(&machine, "c", 53) == "unavailable 60")
    }

    @Test("an id is undecided while the endpoint fails")
    func failing() throws {
        var machine = try filled()
        #expect(ask(&machine, "b", 61) == "wait, fetch")
        machine.fetchFailed(at: after(62), jitter: 0)
        #expect(ask(&machine, "b", 70) == "unavailable 52")
        #expect(ask(&machine, "a", 70) == "key")
        #expect(ask(&machine, "b", 121.5) == "wait, fetch")
    }

    @Test("without a set, the interval after failures grows from 5 s to 5 min")
    func backOff() {
        var machine = KeySetMachine()
        var now = 0.0
        for wait in [5.0, 10, 20, 40, 80, 160, 300, 300, 300] {
            #expect(ask(&machine, "a", now) == "wait, fetch")
            machine.fetchFailed(at: after(now), jitter: 0)
            #expect(ask(&machine, "a", now + wait - 0.5).hasPrefix("unavailable"))
            now += wait
        }
    }

    @Test("a stale set is used for 24 hours after its last good fetch and no longer")
    func stale() throws {
        var machine = try filled()
        #expect(ask(&machine, "a", 86_399) == "key, fetch")
        machine.fetchFailed(at: after(86_399), jitter: 0)
        #expect(ask(&machine, "a", 86_399.9) == "key")
        #expect(ask(&machine, "a", 86_400.1).hasPrefix("unavailable"))
        #expect(ask(&machine, "a", 86_405) == "wait, fetch")
    }

    @Test("a key works only with its own algorithm")
    func algorithm() throws {
        var machine = try filled()
        #expect(word(machine.look(for: "a", algorithm: .PS256, at: after(1))) == "unknown")
        #expect(word(machine.look(for: "a", algorithm: .ES256, at: after(1))) == "unknown")
    }

    @Test("J-11: 1,000 unknown ids a second for ten minutes cause ten fetches")
    func flood() throws {
        var machine = try filled()
        var fetches = 0
        for number in 0..<600_000 where number.isMultiple(of: 10) {
            let now = 1 + Double(number) / 1_000
            guard ask(&machine, "junk-\(number)", now) == "wait, fetch" else { continue }
            fetches += 1
            machine.fetched(try set(), life: nil, at: after(now), jitter: 0.5)
        }
        #expect(fetches == 10)
    }

    @Test(
        "the readable parts of Cache-Control count",
        arguments: [
            (nil, nil), ("max-age=22000, must-revalidate", 22_000), ("public, MAX-AGE=600", 600), ("no-store", nil),
            ("max-age=600, no-store", nil), ("max-age=", nil), ("max-age=abc", nil), ("s-maxage=5", nil),
            ("private,max-age=86400", 86_400),
        ] as [(String?, Int?)])
    func cacheControl(row: (header: String?, life: Int?)) {
        #expect(RefreshSchedule.life(cacheControl: row.header) == row.life)
    }
}
