import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The key of proofs, and requests to back ends with it")
struct ProofKeyTests {
    private static let url = "https://api.example.com/orders?page=2"
    let store = MemoryTokenStore()

    private func wantsNonce(_ nonce: String) -> ScriptedTransport.Reply {
        .answer(401, nil, ["WWW-Authenticate": #"DPoP error="use_dpop_nonce""#, "DPoP-Nonce": nonce])
    }

    @Test("After a restart the session goes on with the same key")
    func restart() async throws {
        let first = try Rehearsal.proving(store: store)
        _ = try await first.signedInBound()
        let second = try Rehearsal.proving(store: store)
        await second.transport.add(.answer(200, ["devices": []]))
        _ = try await #require(try await second.client.session()).devices()
        #expect(await second.transport.received.last?.bearer == "DPoP access-1")
        #expect(try await second.proofs(1)[0].key == (try await first.proofs(1)[0].key))
    }

    @Test("Calls at the same time make one key")
    func together() async throws {
        let prover = Prover(
            signer: OpenSSL(), storage: SessionStorage(store: store, scope: "a"), time: ManualClock().source)
        let url = try #require(URL(string: Self.url))
        let keys = try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            for _ in 0..<8 {
                group.addTask { try ReadProof(try await prover.proof(for: "GET", url, token: nil)).key }
            }
            return try await group.reduce(into: Set<JSONValue?>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
        #expect(try await prover.thumbprint() != nil)
    }

    enum Loss: CaseIterable {
        case otherKey, noKey, unusableKey, optionOff
    }

    @Test("A session whose key is lost has ended, without a request", arguments: Loss.allCases, [0, 700])
    func lost(_ loss: Loss, seconds: TimeInterval) async throws {
        _ = try await Rehearsal.proving(store: store).signedInBound()
        let name = "login.example.com/app/key"
        switch loss {
        case .otherKey: await store.write(try OpenSSL().newKey(), as: name)
        case .noKey: await store.remove(name)
        case .unusableKey: await store.write(Data("x".utf8), as: name)
        case .optionOff: break
        }
        let later = try Rehearsal(store: store, signer: loss == .optionOff ? nil : OpenSSL())
        later.clock.advance(seconds)
        let session = try #require(try await later.client.session())
        for _ in 0..<2 {
            await #expect { try await session.profile() } throws: { error in
                if case GatewayError.sessionEnded(let end) = error { end.reason == .keyLost } else { false }
            }
        }
        #expect(try await later.client.session() == nil)
        #expect(await later.transport.received.isEmpty)
    }

    @Test("A store that can't be read is an error, not a lost key")
    func failingStore() async throws {
        let failing = FailingStore()
        _ = try await Rehearsal.proving(store: failing).signedInBound()
        let later = try Rehearsal.proving(store: failing)
        let session = try #require(try await later.client.session())
        await failing.fail()
        await #expect { try await session.accessToken() } throws: { error in
            if case GatewayError.storage = error { true } else { false }
        }
        await failing.recover()
        #expect(try await session.accessToken() == "access-1")
    }

    @Test("A key that the store does not take is given up: the next sign-in makes another one")
    func failingWrite() async throws {
        let failing = FailingStore()
        let rehearsal = try Rehearsal.proving(store: failing)
        await failing.failWrites()
        await #expect(throws: GatewayError.self) { try await rehearsal.client.signIn(.username("ann")) }
        #expect(await rehearsal.transport.received.isEmpty)
        await failing.recover()
        _ = try await rehearsal.signedInBound()
        #expect(try await Rehearsal.proving(store: failing).client.session()?.accessToken() == "access-1")
    }

    @Test("A dump of a client shows no key")
    func dumped() async throws {
        let rehearsal = try Rehearsal.proving(store: store)
        _ = try await rehearsal.signedInBound()
        let key = try ProofKey(try #require(await store.read("login.example.com/app/key")), OpenSSL())
        var text = "\(key)"
        dump(key, to: &text)
        dump(rehearsal.client.api.prover, to: &text)
        #expect(!text.contains("bytes"), "\(text)")
    }

    @Test("A request to a back end is proved for its address, and repeated once with the nonce of that server")
    func backEnd() async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedInBound()
        await rehearsal.transport.add(wantsNonce("b1"), .answer(200, []), .answer(200, ["devices": []]))
        let (_, response) = try await session.data(for: URLRequest(url: try #require(URL(string: Self.url))))
        #expect(response.statusCode == 200)
        _ = try await session.devices()
        let proofs = try await rehearsal.proofs(4)
        #expect(proofs.map(\.nonce) == [nil, nil, "b1", nil])
        #expect(proofs[2].claims["htu"] == "https://api.example.com/orders")
        #expect(proofs[2].claims["ath"] == proofs[3].claims["ath"])
    }

    @Test("A back end that refuses the proof again gets no further request")
    func refusedAgain() async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedInBound()
        await rehearsal.transport.add(wantsNonce("b1"), wantsNonce("b2"))
        let (_, response) = try await session.data(for: URLRequest(url: try #require(URL(string: Self.url))))
        #expect(response.statusCode == 401)
        #expect(await rehearsal.transport.received.count == 3)
    }

    @Test("An authorized request has token and proof")
    func authorized() async throws {
        let rehearsal = try Rehearsal.proving()
        let session = try await rehearsal.signedInBound()
        var request = URLRequest(url: try #require(URL(string: Self.url)))
        request.httpMethod = "PUT"
        let authorized = try await session.authorized(request)
        #expect(authorized.value(forHTTPHeaderField: "Authorization") == "DPoP access-1")
        let proof = try ReadProof(try #require(authorized.value(forHTTPHeaderField: "DPoP")))
        #expect(proof.claims["htm"] == "PUT")
    }

    @Test("The code of the hosted page is redeemed with a proof, and its session is bound")
    func browser() async throws {
        let rehearsal = try Rehearsal.proving()
        let signIn = try rehearsal.client.browserSignIn(redirectURI: BrowserTests.redirect, hasher: OpenSSL())
        let tokens: JSONValue = [
            "access_token": "access-1", "token_type": "DPoP", "expires_in": 600, "refresh_token": "refresh-1",
            "refresh_expires_in": 2_592_000, "session_id": .string(Sample.sessionID),
        ]
        let current: JSONValue = [
            "id": .string(Sample.sessionID), "client_id": "app", "provider": "google",
            "auth_time": "2026-11-21T13:14:19Z", "amr": ["fed"], "acr": "1", "created_at": "2026-11-21T13:14:19Z",
            "expires_at": "2027-02-19T13:14:19Z",
        ]
        await rehearsal.transport.add(
            .answer(200, tokens), .answer(200, ["account": Sample.account, "session": current]))
        let query = "code=hc_1&iss=https%3A%2F%2Flogin.example.com&state=\(signIn.state)"
        _ = try await signIn.finish(try #require(URL(string: "\(BrowserTests.redirect)?\(query)")))
        let sent = await rehearsal.transport.received
        #expect(sent.map(\.path) == ["/v1/token", "/v1/session"])
        #expect(sent.map(\.bearer) == [nil, "DPoP access-1"])
        #expect(try await rehearsal.proofs(2).map { $0.claims["ath"] == nil } == [true, false])
    }
}
