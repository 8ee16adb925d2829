import Foundation
import Testing

@testable import GatewayClient

@Suite("Refreshing at a real gateway", .enabled(if: Server.isThere, "make test starts the gateway"))
struct RefreshServerTests {
    /// Ahead of the gateway's clock: the access token counts as over here, and still works there.
    private func ahead(_ seconds: TimeInterval) -> TimeSource {
        TimeSource(now: { Date() + seconds }, wait: TimeSource.system.wait)
    }

    @Test("A refresh gives other tokens of the same session, and the store has them")
    func refresh() async throws {
        let store = MemoryTokenStore()
        let person = try await Person.signedUp(try Server.client(store))
        let first = try await person.session.accessToken()
        try await person.session.refreshNow()
        let second = try await person.session.accessToken()
        #expect(first != second)
        _ = try await person.session.profile()
        let again = try #require(try await Server.client(store).session())
        #expect(again.id == person.session.id)
        #expect(try await again.accessToken() == second)
    }

    @Test("An app and its extensions that refresh at the same time stay signed in")
    func together() async throws {
        let store = MemoryTokenStore()
        let person = try await Person.signedUp(try Server.client(store))
        let late = ahead(3_600)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<6 {
                let client = try Server.client(store, time: late)
                group.addTask { try await #require(try await client.session()).current().session.id }
            }
            for try await id in group { #expect(id == person.session.id) }
        }
        try await person.session.refreshNow()
        _ = try await person.session.profile()
    }

    @Test("A copy of old tokens ends the session, with the reason")
    func reused() async throws {
        let (store, thief) = (MemoryTokenStore(), MemoryTokenStore())
        let person = try await Person.signedUp(try Server.client(store))
        let name = "localhost/app/session"
        await thief.write(try #require(await store.read(name)), as: name)
        for _ in 0..<2 { try await person.session.refreshNow() }
        let copy = try #require(try await Server.client(thief).session())
        await #expect { try await copy.refreshNow() } throws: { error in
            if case GatewayError.sessionEnded(let end) = error { end.reason == .tokenReused } else { false }
        }
        await #expect { try await person.session.profile() } throws: { error in
            if case GatewayError.sessionEnded(let end) = error { end.reason == .endedElsewhere } else { false }
        }
    }

    @Test("A sign-out ends the session at the gateway; everywhere ends them all")
    func signOut() async throws {
        let person = try await Person.signedUp()
        let other = try await person.signInElsewhere().session()
        let third = try await person.signInElsewhere().session()
        let token = try await other.access()
        try await other.signOut()
        await #expect { try await person.client.api.send(.get("/v1/account"), .token(token)) } throws: {
            ($0 as? GatewayError)?.code == .sessionEnded
        }
        #expect(try await person.session.sessions().count == 2)
        try await person.session.signOut(everywhere: true)
        await #expect(throws: GatewayError.self) { try await third.refreshNow() }
    }

    @Test("A session that another device ends is over here, with its state")
    func endedElsewhere() async throws {
        let person = try await Person.signedUp()
        let other = try await person.signInElsewhere().session()
        let mine = try #require(try await other.sessions().first { $0.id == person.session.id })
        try await other.end(mine)
        var states = person.session.states.makeAsyncIterator()
        _ = await states.next()
        await #expect(throws: GatewayError.self) { try await person.session.refreshNow() }
        guard case .ended(let end) = await states.next() else { throw ScriptFailure("no end") }
        #expect(end.reason == .endedElsewhere)
    }

    @Test("A gateway that is not there is unreachable, not a refusal")
    func unreachable() async throws {
        let client = GatewayClient(
            url: try #require(URL(string: "http://127.0.0.1:1")), clientID: "app", store: MemoryTokenStore())
        await #expect { try await client.nonce() } throws: { error in
            if case GatewayError.unreachable = error { true } else { false }
        }
    }
}
