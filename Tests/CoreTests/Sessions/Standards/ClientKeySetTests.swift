import Foundation
import JSON
import Logging
import Outbound
import TestSupport
import Testing
import Vocabulary

@testable import Clients
@testable import Sessions

/// The key sets that clients publish (RFC 7591 §2, `jwks_uri`).
@Suite("Key sets of clients") struct ClientKeySetTests {
    private static let issuer = "https://login.example.com"
    private static let address = "https://app.example/keys"

    /// A service whose far side a test lists.
    private struct Service {
        let far: FarSide
        let sets: ClientKeySets

        /// The word of the outcome: `found`, `unknown` or the code of the refusal.
        func look(_ key: AssertionKey, by client: Client) async throws -> String {
            let text = try key.assertion(by: client.id, for: ClientKeySetTests.issuer, at: .noon)
            let assertion = try #require(ClientAssertion(text, for: [ClientKeySetTests.issuer], at: .noon))
            do throws(Rejection) {
                return try await sets.key(of: assertion, by: client, TestCore.caller) == nil ? "unknown" : "found"
            } catch {
                return error.code
            }
        }

        func publish(_ keys: [AssertionKey]) {
            let body = JSON.object(["keys": .array(keys.map(\.jwk))]).bytes()
            far[ClientKeySetTests.address] = .init { _ in .success(HTTPResponse(status: 200, body: body)) }
        }
    }

    private static func run(_ body: (Service) async throws -> Void) async throws {
        try await withTestDatabase { database in
            let throttles = Throttles(keys: try TestKeys.keys("k1"), limits: .test)
            let budget = FetchBudget(throttles: throttles, pool: database.pool, logger: .silent)
            let far = FarSide()
            try await body(
                Service(far: far, sets: ClientKeySets(transport: far, budget: budget, logger: .silent)))
        }
    }

    private static func client(_ openID: JSONObject, origin: ClientOrigin = .operator) throws -> Client {
        Client(
            id: "shop", name: "Shop", kind: .confidential, secret: nil, origins: [], redirectURIs: [], providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 86_400,
            refreshMaximum: 864_000, openID: try OpenIDSettings(parsing: openID), origin: origin)
    }

    @Test("A set is fetched once, and again for a new key; unknown keys cause one fetch a minute")
    func fetches() async throws {
        try await Self.run { service in
            let keys = try ["k1", "k2", "k3"].map(AssertionKey.init)
            let client = try Self.client(["jwks_uri": .string(Self.address)])
            service.publish([keys[0]])
            for _ in 0..<3 { #expect(try await service.look(keys[0], by: client) == "found") }
            #expect(service.far.calls.count == 1)
            service.publish([keys[1]])
            #expect(try await service.look(keys[1], by: client) == "found")
            #expect(service.far.calls.count == 2)
            // The old key is gone: one fetch says so, and the next unknown key waits.
            for _ in 0..<3 { #expect(try await service.look(keys[0], by: client) == "unknown") }
            #expect(try await service.look(keys[2], by: client) == "provider_unavailable")
            #expect(service.far.calls.count == 3)
        }
    }

    @Test("Listed keys cause no fetch, and a key of another algorithm or of nobody is unknown")
    func listed() async throws {
        try await Self.run { service in
            let (key, other) = (try AssertionKey("k1"), try AssertionKey("k2"))
            let client = try Self.client(["jwks": ["keys": [key.jwk]]])
            #expect(try await service.look(key, by: client) == "found")
            #expect(try await service.look(other, by: client) == "unknown")
            #expect(try await service.look(key, by: Self.client([:])) == "unknown")
            #expect(service.far.calls.isEmpty)
        }
    }

    @Test("A stranger's assertions fetch within a budget, and those of an operator's client without one")
    func budget() async throws {
        try await Self.run { service in
            let key = try AssertionKey("k1")
            func outcomes(_ origin: ClientOrigin) async throws -> [String] {
                var outcomes: [String] = []
                for number in 0..<30 {
                    let address = "https://app.example/\(origin == .operator ? "own" : "strange")/\(number)"
                    service.far[address] = .init { _ in .success(HTTPResponse(status: 404)) }
                    let client = try Self.client(["jwks_uri": .string(address)], origin: origin)
                    outcomes.append(try await service.look(key, by: client))
                }
                return outcomes
            }
            let own = try await outcomes(.operator)
            #expect(Set(own) == ["provider_unavailable"] && service.far.calls.count == own.count)
            service.far.forgetCalls()
            let strange = try await outcomes(.registration)
            #expect(strange.first == "provider_unavailable" && strange.last == "throttled")
            #expect(service.far.calls.count == strange.count { $0 == "provider_unavailable" })
        }
    }
}
