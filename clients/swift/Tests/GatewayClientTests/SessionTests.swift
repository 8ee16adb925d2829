import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A session keeps its tokens fresh")
struct SessionTests {
    @Test("A token that works is used without a request")
    func fresh() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        #expect(try await session.accessToken() == "access-1")
        #expect(await rehearsal.transport.received.count == 1)
    }

    @Test("A hundred calls at once share one refresh")
    func singleFlight() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        let gate = Gate()
        await rehearsal.transport.add(.gated(gate, 200, Sample.refreshed(2)))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await session.accessToken() } }
            await gate.reached()
            await gate.open()
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["access-2"])
        #expect(await rehearsal.transport.received.map(\.path) == ["/v1/sign-in", "/v1/token/refresh"])
    }

    @Test("A cancelled caller does not cancel the refresh that another one waits for")
    func cancellation() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        let gate = Gate()
        await rehearsal.transport.add(.gated(gate, 200, Sample.refreshed(2)))
        let first = Task { try await session.accessToken() }
        await gate.reached()
        first.cancel()
        async let second = session.accessToken()
        await gate.open()
        #expect(try await second == "access-2")
        #expect(await rehearsal.transport.received.count == 2)
    }

    @Test("A lost answer and a busy server are asked again with the same token, after a pause")
    func retry() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(
            .lost, .answer(503, Sample.problem("database_unavailable", 503, retryAfter: 1)),
            .answer(200, Sample.refreshed(2)))
        #expect(try await session.accessToken() == "access-2")
        let sent = await rehearsal.transport.received.dropFirst().map { $0.body?["refresh_token"]?.string }
        #expect(sent == ["refresh-1", "refresh-1", "refresh-1"])
        #expect(rehearsal.clock.pauses == [.seconds(0.5), .seconds(2)])
    }

    @Test("Without a connection the token is kept, and the next call tries again")
    func offline() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.lost, .lost, .lost)
        await #expect { try await session.accessToken() } throws: { error in
            if case GatewayError.unreachable = error { true } else { false }
        }
        await rehearsal.transport.add(.answer(200, Sample.refreshed(2)))
        #expect(try await session.accessToken() == "access-2")
    }

    @Test("The server's pause is respected: a long one is not waited for")
    func longPause() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.answer(503, Sample.problem("overloaded", 503, retryAfter: 30)))
        await #expect { try await session.accessToken() } throws: { ($0 as? GatewayError)?.retryAfter == 30 }
        #expect(rehearsal.clock.pauses.isEmpty)
    }

    @Test("The new tokens are in the store before the caller has them")
    func saved() async throws {
        let store = MemoryTokenStore()
        let rehearsal = try Rehearsal(store: store)
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.answer(200, Sample.refreshed(2)))
        _ = try await session.accessToken()
        let data = try #require(await store.read("login.example.com/app/session"))
        #expect(try JSONDecoder().decode(SessionRecord.self, from: data).tokens.refresh == Secret("refresh-2"))
    }

    @Test(
        "A refused refresh ends the session for each of these reasons, and forgets the tokens",
        arguments: [
            ("session_ended", SessionEnd.Reason.endedElsewhere), ("refresh_token_expired", .expired),
            ("refresh_token_reused", .tokenReused), ("refresh_token_invalid", .tokensInvalid),
        ])
    func ended(_ code: String, _ reason: SessionEnd.Reason) async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.answer(401, Sample.problem(code, 401)))
        for _ in 0..<2 {
            await #expect { try await session.accessToken() } throws: { error in
                if case GatewayError.sessionEnded(let end) = error { end.reason == reason } else { false }
            }
        }
        #expect(try await rehearsal.client.session() == nil)
    }

    @Test("A refusal that is about the app does not end the session")
    func clientUnknown() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.answer(400, Sample.problem("client_unknown", 400)))
        await #expect { try await session.accessToken() } throws: { ($0 as? GatewayError)?.code == .clientUnknown }
        #expect(try await rehearsal.client.session() != nil)
    }

    @Test("A call that is refused with an expired token is repeated once with a new one")
    func repeated() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        await rehearsal.transport.add(
            .answer(401, Sample.problem("access_token_expired", 401)), .answer(200, Sample.refreshed(2)),
            .answer(200, ["devices": []]))
        #expect(try await session.devices().isEmpty)
        #expect(
            await rehearsal.transport.received.map(\.bearer) == [nil, "Bearer access-1", nil, "Bearer access-2"])
    }

    @Test("A session that ended elsewhere is noticed by any call")
    func noticed() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        await rehearsal.transport.add(.answer(401, Sample.problem("session_ended", 401)))
        await #expect(throws: GatewayError.self) { try await session.profile() }
        #expect(try await rehearsal.client.session() == nil)
    }

    @Test("A request to the app's own back end is repeated once after 401")
    func ownBackEnd() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        await rehearsal.transport.add(
            .answer(401, nil), .answer(200, Sample.refreshed(2)), .answer(200, ["orders": []]))
        let url = try #require(URL(string: "https://api.example.com/orders"))
        let (_, response) = try await session.data(for: URLRequest(url: url))
        #expect(response.statusCode == 200)
        #expect(await rehearsal.transport.received.last?.bearer == "Bearer access-2")
    }

    @Test(
        "Only the gateway and the listed back ends get the token",
        arguments: [
            ("https://api.example.com/orders", true), ("https://API.example.com:443/orders", true),
            ("https://login.example.com/v1/account", true), ("https://api.example.com:8443/orders", false),
            ("https://api.example.com.evil.example/", false), ("https://other.example.com/", false),
            ("http://api.example.com/orders", false), ("ftp://api.example.com/", false),
        ])
    func addresses(_ address: String, _ isAllowed: Bool) async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        let request = URLRequest(url: try #require(URL(string: address)))
        if isAllowed {
            #expect(
                try await session.authorized(request).value(forHTTPHeaderField: "Authorization") == "Bearer access-1")
        } else {
            await #expect(throws: GatewayError.self) { try await session.authorized(request) }
            await #expect(throws: GatewayError.self) { try await session.data(for: request) }
            #expect(await rehearsal.transport.received.count == 1)
        }
    }

    @Test(
        "A gateway without TLS gets nothing, save on this machine",
        arguments: [
            ("https://login.example.com", true), ("http://localhost:8080", true), ("http://127.0.0.1:8080", true),
            ("http://login.example.com", false), ("http://localhost.evil.example", false), ("ftp://localhost", false),
        ])
    func transportSecurity(_ address: String, _ isAllowed: Bool) async throws {
        let transport = ScriptedTransport([.answer(200, ["nonce": "n", "expires_in": 600])])
        let client = GatewayClient(
            url: try #require(URL(string: address)), clientID: "app", store: MemoryTokenStore(), transport: transport)
        if isAllowed {
            _ = try await client.nonce()
        } else {
            await #expect(throws: GatewayError.self) { try await client.nonce() }
            #expect(await transport.received.isEmpty)
        }
    }

    @Test("The user's languages go along, the preferred one first")
    func languages() async throws {
        let rehearsal = try Rehearsal(.answer(200, ["nonce": "n", "expires_in": 600]), languages: ["de-DE", "en"])
        _ = try await rehearsal.client.nonce()
        #expect(await rehearsal.transport.received.first?.headers["Accept-Language"] == "de-DE, en;q=0.9")
    }

    @Test("Without a connection a sign-out forgets the tokens and says that the gateway did not hear of it")
    func offlineSignOut() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        await rehearsal.transport.add(.lost)
        await #expect(throws: GatewayError.self) { try await session.signOut() }
        #expect(try await rehearsal.client.session() == nil)
        await #expect(throws: GatewayError.self) { try await session.accessToken() }
    }
}
