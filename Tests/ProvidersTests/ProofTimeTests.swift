import Foundation
import Providers
import Testing

@Suite("Time of a proof at a provider")
struct ProofTimeTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Seconds before now; nil if the provider states no time.
    @Test(
        "D4: the proof time is auth_time, else iat, else the exchange, and never in the future",
        arguments: [
            (600.0, 10.0, 600.0), (nil, 10.0, 10.0), (nil, nil, 0.0), (-30.0, 10.0, 0.0), (nil, -30.0, 0.0),
            (600.0, nil, 600.0),
        ] as [(Double?, Double?, Double)])
    func time(signedIn: Double?, issued: Double?, expected: Double) throws {
        let identity = ExternalIdentity(
            provider: .apple, realm: "r", subject: "s", audiences: [], authenticatedAt: signedIn.map { Self.now - $0 },
            issuedAt: issued.map { Self.now - $0 }, replayDigest: [], replayEnd: .counted(Self.now))
        #expect(identity.provedAt(Self.now) == Self.now - expected)
    }
}
