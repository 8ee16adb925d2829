import Foundation
import Testing

@testable import GatewayClient

/// An app and its extension: two processes with one store.
@Suite("Two clients with one store")
struct SharedStoreTests {
    let store = MemoryTokenStore()

    @Test("A client that starts again finds the session, without a request")
    func restart() async throws {
        let first = try await Rehearsal(store: store).signedIn()
        let second = try Rehearsal(store: store)
        let found = try #require(try await second.client.session())
        #expect(found.id == first.id)
        #expect(found.account == first.account)
        #expect(try await found.accessToken() == "access-1")
        #expect(await second.transport.received.isEmpty)
    }

    @Test("Tokens that the other one refreshed are taken over, without a request")
    func takenOver() async throws {
        let app = try Rehearsal(store: store)
        let session = try await app.signedIn()
        let other = try Rehearsal(store: store)
        let same = try #require(try await other.client.session())
        app.clock.advance(700)
        other.clock.advance(700)
        await app.transport.add(.answer(200, Sample.refreshed(2)))
        #expect(try await session.accessToken() == "access-2")
        #expect(try await same.accessToken() == "access-2")
        #expect(await other.transport.received.isEmpty)
    }

    @Test("A sign-out of the other one ends this session at the next refresh")
    func signedOutElsewhere() async throws {
        let app = try Rehearsal(store: store)
        let session = try await app.signedIn()
        let other = try Rehearsal(store: store)
        await other.transport.add(.answer(204, nil))
        try await #require(try await other.client.session()).signOut()
        app.clock.advance(700)
        await #expect { try await session.accessToken() } throws: { error in
            if case GatewayError.sessionEnded(let end) = error { end.reason == .signedOut } else { false }
        }
    }

    @Test("The end of an old session does not remove the tokens of a newer one")
    func newerSession() async throws {
        let app = try Rehearsal(store: store)
        let old = try await app.signedIn()
        let other = try Rehearsal(store: store)
        _ = try await other.signedIn(Sample.tokens(9, id: "01a1fe3e-50c0-7143-8a83-b7cf4d9d0009"))
        await app.transport.add(.answer(401, Sample.problem("session_ended", 401)))
        await #expect(throws: GatewayError.self) { try await old.profile() }
        #expect(try await Rehearsal(store: store).client.session()?.id == "01a1fe3e-50c0-7143-8a83-b7cf4d9d0009")
    }

    @Test("Two apps of one gateway keep their sessions apart")
    func apart() async throws {
        _ = try await Rehearsal(store: store).signedIn()
        let url = try #require(URL(string: "https://login.example.com"))
        let other = GatewayClient(url: url, clientID: "other", store: store, transport: ScriptedTransport())
        #expect(try await other.session() == nil)
    }

    @Test("The device token outlives a sign-out and goes with the next sign-in")
    func deviceToken() async throws {
        let app = try Rehearsal(.answer(200, Sample.signedIn(device: "dt_1")), .answer(204, nil), store: store)
        let result = try await app.client.signIn(.password(username: "ann@example.com", password: "correct horse"))
        guard case .signedIn(let session) = result else { throw ScriptFailure("no session") }
        try await session.signOut()
        let again = try Rehearsal(store: store)
        _ = try await again.signedIn()
        #expect(await again.transport.received.last?.body?["device"] == ["token": "dt_1"])
    }

    @Test("A store that fails stops the refresh: its tokens would be lost")
    func failingStore() async throws {
        let failing = FailingStore()
        let app = try Rehearsal(store: failing)
        let session = try await app.signedIn()
        app.clock.advance(700)
        await failing.fail()
        await #expect { try await session.accessToken() } throws: { error in
            if case GatewayError.storage = error { true } else { false }
        }
        #expect(await app.transport.received.count == 1)
    }

    @Test("New tokens that the store does not take stay in memory, and go on from there")
    func failingWrite() async throws {
        let failing = FailingStore()
        let app = try Rehearsal(store: failing)
        let session = try await app.signedIn()
        app.clock.advance(700)
        await failing.failWrites()
        await app.transport.add(.answer(200, Sample.refreshed(2)))
        await #expect(throws: GatewayError.self) { try await session.accessToken() }
        #expect(try await session.accessToken() == "access-2")
        await failing.recover()
        app.clock.advance(700)
        await app.transport.add(.answer(200, Sample.refreshed(3)))
        #expect(try await session.accessToken() == "access-3")
        #expect(await app.transport.received.last?.body?["refresh_token"] == "refresh-2")
        #expect(try await Rehearsal(store: failing).client.session()?.accessToken() == "access-3")
    }

    @Test("A refresh that is answered after the end brings no tokens back")
    func lateAnswer() async throws {
        let app = try Rehearsal(store: store, consent: Withdrawn())
        let session = try await app.signedIn(identity: Sample.appleIdentity)
        app.clock.advance(700)
        let gate = Gate()
        await app.transport.add(.gated(gate, 200, Sample.refreshed(2)), .answer(204, nil))
        let token = Task { try await session.accessToken() }
        await gate.reached()
        try await session.checkConsent()
        await gate.open()
        await #expect(throws: GatewayError.self) { try await token.value }
        #expect(try await Rehearsal(store: store).client.session() == nil)
    }

    @Test("A refresh that is answered after another sign-in does not overwrite its tokens")
    func overtaken() async throws {
        let app = try Rehearsal(store: store)
        let session = try await app.signedIn()
        app.clock.advance(700)
        let gate = Gate()
        await app.transport.add(.gated(gate, 200, Sample.refreshed(2)))
        let token = Task { try await session.accessToken() }
        await gate.reached()
        let newer = "01a1fe3e-50c0-7143-8a83-b7cf4d9d0009"
        _ = try await app.signedIn(Sample.tokens(9, id: newer))
        await gate.open()
        await #expect(throws: GatewayError.self) { try await token.value }
        #expect(try await Rehearsal(store: store).client.session()?.id == newer)
    }
}

actor FailingStore: TokenStore {
    private let memory = MemoryTokenStore()
    private var (failsReads, failsWrites) = (false, false)

    func fail() { (failsReads, failsWrites) = (true, true) }
    func failWrites() { failsWrites = true }
    func recover() { (failsReads, failsWrites) = (false, false) }

    func read(_ name: String) async throws -> Data? {
        if failsReads { throw CocoaError(.fileReadNoPermission) }
        return await memory.read(name)
    }

    func write(_ data: Data, as name: String) async throws {
        if failsWrites { throw CocoaError(.fileWriteNoPermission) }
        await memory.write(data, as: name)
    }

    func remove(_ name: String) async throws {
        if failsWrites { throw CocoaError(.fileWriteNoPermission) }
        await memory.remove(name)
    }
}
