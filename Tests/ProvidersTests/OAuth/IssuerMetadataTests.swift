import Outbound
import Synchronization
import TestSupport
import Testing

@testable import Providers

/// The treatment of a changed discovery document.
@Suite("Changed discovery documents")
struct IssuerMetadataTests {
    private static let issuer = "https://id.acme.example"
    private static let url = issuer + "/.well-known/openid-configuration"
    private static let (here, elsewhere) = (issuer + "/new", "https://elsewhere.example/new")

    /// A cache with a changeable issuer and a clock.
    private struct Scene {
        let far = FarSide()
        let clock = TestClock()
        let health: ProviderHealth
        let cache: IssuerMetadataCache

        init() throws {
            let clock = clock
            health = ProviderHealth(provider: try #require(ProviderID(rawValue: "acme")))
            let upstream = Upstream(transport: far, health: health, clock: { clock.now })
            cache = IssuerMetadataCache(issuers: [issuer], at: issuer, origin: nil, upstream: upstream)
        }

        func publish(_ endpoints: [String: String]) {
            let members = ["issuer": issuer, "jwks_uri": issuer + "/keys"].merging(endpoints) { $1 }
            let text = members.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
            far[url] = .init { _ in .success(.json("{\(text)}")) }
        }

        /// A day and an hour later, the last answer is outdated, so the next look-up waits for a new one.
        func later() async throws -> IssuerMetadata {
            clock.advance(by: .seconds(25 * 3_600))
            return try await cache.current()
        }

        var refusals: Int { health.snapshot.signals[.documentRefused, default: 0] }
    }

    @Test(
        "removing an endpoint, or adding one on a known host, is no move",
        arguments: ["token_endpoint", "authorization_endpoint", "revocation_endpoint"])
    func comingAndGoing(member: String) async throws {
        let scene = try Scene()
        scene.publish([:])
        let bare = try await scene.cache.current()
        scene.publish([member: Self.here])
        let fuller = try await scene.later()
        #expect([fuller.tokenURL, fuller.authorizationURL, fuller.revocationURL].contains(Self.here))
        scene.publish([:])
        #expect(try await scene.later() == bare)
        #expect(scene.refusals == 0)
    }

    @Test(
        "a moved document is never accepted; the operator gets a warning while the old one serves",
        arguments: [
            ["jwks_uri": elsewhere], ["token_endpoint": elsewhere], ["authorization_endpoint": elsewhere],
            ["revocation_endpoint": elsewhere], ["token_endpoint": issuer + ":8443/token"],
        ])
    func moved(endpoints: [String: String]) async throws {
        let usual = ["token_endpoint": Self.issuer + "/token", "authorization_endpoint": Self.issuer + "/authorize"]
        let scene = try Scene()
        scene.publish(usual)
        let old = try await scene.cache.current()
        scene.publish(usual.merging(endpoints) { $1 })
        for day in 1...3 {
            #expect(try await scene.later() == old)
            #expect(scene.refusals == day)
        }
        #expect(scene.health.snapshot.lastFailureReason == "discovery_moved")
        scene.publish(usual.merging(["token_endpoint": Self.here]) { $1 })
        #expect(try await scene.later().tokenURL == Self.here)
    }

    @Test("an issuer that moved and then fails is usable for a day after its last valid answer")
    func movedAndSilent() async throws {
        let scene = try Scene()
        scene.publish([:])
        _ = try await scene.cache.current()
        scene.publish(["jwks_uri": Self.elsewhere])
        _ = try await scene.later()
        scene.far[Self.url] = .init { _ in .failure(.connectFailed) }
        scene.clock.advance(by: .seconds(23 * 3_600))
        _ = try await scene.cache.current()
        await #expect(throws: ProviderError.self) { try await scene.later() }
    }

    @Test("a refused document is fetched again as after a failure, and the last good one stays valid")
    func schedule() {
        let start = ContinuousClock.now
        var schedule = RefreshSchedule()
        schedule.succeeded(at: start, life: nil, jitter: 0)
        let later = start + .seconds(23 * 3_600)
        schedule.began()
        schedule.refused(at: later, jitter: 0)
        #expect(!schedule.mayAsk(at: later + .seconds(4)) && schedule.mayAsk(at: later + .seconds(5)))
        #expect(schedule.isDue(at: later) && schedule.isUsable(at: later + .seconds(23 * 3_600)))
        #expect(!schedule.isUsable(at: later + .seconds(24 * 3_600)))
    }
}
