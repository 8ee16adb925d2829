import Cryptography
import JSON
import Outbound
import Providers
import TestSupport
import Testing

/// The behaviour of every adapter while its issuer's keys change, vanish or become malformed.
@Suite("Every adapter's keys")
struct KeyConformanceTests {
    @Test(
        "J-11: unknown kids force one fetch a minute, for any number of tokens", arguments: ProviderConformance.all
    )
    func unknownKeyID(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn().word == "ok")
        stage.clock.advance(by: .seconds(61))
        let tokens = try (0..<40).map { try stage.token(header: ["kid": .string("junk-\($0)")], signing: .otherKey) }
        let words = await withTaskGroup { group in
            for token in tokens { group.addTask { await stage.post(.string(token)).word } }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        // One kid was looked up; the others stay undecided until the next fetch.
        #expect(words == ["key_unknown", "unavailable"])
        #expect(stage.far.count(about.keysURL) == 2)
        stage.clock.advance(by: .seconds(61))
        #expect(try await stage.signIn(header: ["kid": "junk-new"], signing: .otherKey).word == "key_unknown")
        #expect(stage.far.count(about.keysURL) == 3)
        #expect(try await stage.signIn().word == "ok")
    }

    @Test("J-11: the fetch that a new kid forces finds its key", arguments: ProviderConformance.all)
    func rotation(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn().word == "ok")
        stage.publish(TestKeys.set([("key-2", try TestKeys.other)]))
        stage.clock.advance(by: .seconds(61))
        #expect(try await stage.signIn(header: ["kid": "key-2"], signing: .otherKey).word == "ok")
        #expect(try await stage.signIn().word == "key_unknown", "a dropped key is dead at once")
    }

    @Test(
        "K7: after a rotation within the cool-down, a kid is undecided until the next fetch finds it",
        arguments: ProviderConformance.all)
    func unannouncedRotation(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn().word == "ok")
        #expect(try await stage.signIn(header: ["kid": "junk"], signing: .otherKey).word == "key_unknown")
        stage.publish(TestKeys.set([("key-2", try TestKeys.other)]))
        stage.clock.advance(by: .seconds(20))
        guard
            case .failure(.unavailable(_, let seconds)) = try await stage.signIn(
                header: ["kid": "key-2"], signing: .otherKey)
        else {
            Issue.record("not unavailable")
            return
        }
        #expect((1...41).contains(seconds))
        #expect(try await stage.signIn(header: ["kid": "junk"], signing: .otherKey).word == "key_unknown")
        #expect(stage.far.count(about.keysURL) == 2)
        stage.clock.advance(by: .seconds(seconds))
        #expect(try await stage.signIn(header: ["kid": "key-2"], signing: .otherKey).word == "ok")
        #expect(stage.far.count(about.keysURL) == 3)
    }

    @Test("N4: a factorable key is left out of the set", arguments: ProviderConformance.all)
    func factorableKey(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let weak = try TestKeys.factorable
        stage.publish(TestKeys.set([("key-1", try TestKeys.issuer), ("weak", weak)]))
        #expect(try await stage.signIn().word == "ok")
        #expect(try await stage.signIn(header: ["kid": "weak"], signing: .factorableKey).word == "key_unknown")
        stage.publish(TestKeys.set([("weak", weak)]))
        stage.clock.advance(by: .seconds(61))
        #expect(try await stage.signIn(header: ["kid": "weak"], signing: .factorableKey).word == "unavailable")
    }

    @Test(
        "N4: a kid is any string", arguments: ProviderConformance.all,
        ["bilbo.baggins@hobbiton.example", "a b", "'; DROP TABLE keys", "é\n", "../../etc/passwd"])
    func anyKeyID(about: ProviderConformance, id: String) async throws {
        let stage = try Stage(about)
        stage.publish(TestKeys.set([(id, try TestKeys.issuer)]))
        #expect(try await stage.signIn(header: ["kid": .string(id)]).word == "ok")
    }

    @Test("many waiting requests share one fetch", arguments: ProviderConformance.all)
    func singleFlight(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        let token = try stage.token()
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { #expect(await stage.post(.string(token)).word == "ok") } }
        }
        #expect(stage.far.count(about.keysURL) == 1)
        if let discovery = about.discovery { #expect(stage.far.count(discovery.url) == 1) }
    }

    @Test("J-12: a known kid stays valid for a day while the keys are unreadable", arguments: ProviderConformance.all)
    func keysDown(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn().word == "ok")
        stage.far[about.keysURL] = .init { _ in .failure(.connectFailed) }
        stage.clock.advance(by: .seconds(23 * 3_600))
        #expect(try await stage.signIn().word == "ok")
        #expect(try await stage.signIn(header: ["kid": "other"], signing: .otherKey).word == "unavailable")
        stage.clock.advance(by: .seconds(2 * 3_600))
        #expect(try await stage.signIn().word == "unavailable")
    }

    @Test(
        "unread keys make the provider unavailable, not the token invalid", arguments: ProviderConformance.all
    )
    func neverRead(about: ProviderConformance) async throws {
        let stage = try Stage(about)
        stage.far[about.keysURL] = .init { _ in .failure(.timedOut) }
        guard case .failure(.unavailable(_, let seconds)) = try await stage.signIn() else {
            Issue.record("not unavailable")
            return
        }
        #expect((1...7).contains(seconds))
        #expect(try await stage.signIn().word == "unavailable")
        #expect(stage.far.count(about.keysURL) == 1, "backing off")
        try stage.publish(TestKeys.usualSet)
        stage.clock.advance(by: .seconds(7))
        #expect(try await stage.signIn().word == "ok")
    }

    @Test(
        "J-13: a bad key set is refused, and the last good one stays", arguments: ProviderConformance.all,
        ["empty", "html", "huge", "duplicate kid", "no array", "status", "redirect", "unusable", "duplicate names"])
    func badSet(about: ProviderConformance, kind: String) async throws {
        let stage = try Stage(about)
        #expect(try await stage.signIn().word == "ok")
        let bad = try Self.badAnswer(kind)
        stage.far[about.keysURL] = .init { _ in bad }
        stage.clock.advance(by: .seconds(61))
        #expect(try await stage.signIn(header: ["kid": "junk"]).word == "unavailable")
        #expect(stage.far.count(about.keysURL) == 2)
        #expect(try await stage.signIn().word == "ok", "the last good set still serves")
    }

    private static func badAnswer(_ kind: String) throws -> Result<HTTPResponse, TransferError> {
        let usual = try TestKeys.usualSet
        switch kind {
        case "empty": return .success(.json(#"{"keys":[]}"#))
        case "html": return .success(.html)
        case "huge": return .failure(.responseTooLarge)
        case "duplicate kid":
            return .success(.json(TestKeys.set([("key-1", try TestKeys.issuer), ("key-1", try TestKeys.other)])))
        case "no array": return .success(.json(#"{"keys":{}}"#))
        case "status": return .success(.json(usual, status: 404))
        case "redirect": return .failure(.redirectRefused)
        case "unusable": return .success(.json(#"{"keys":[{"kty":"oct","kid":"key-1","k":"AAAA"}]}"#))
        default: return .success(.json(#"{"keys":[],"# + usual.dropFirst()))
        }
    }
}
