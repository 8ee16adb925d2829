import Accounts
import Testing

@testable import Sessions

@Suite("Token profiles")
struct TokenProfileTests {
    private static func client(
        _ rotation: TokenProfile.Rotation = .always, audiences: Set<Audience> = [.account]
    ) -> Client {
        Client(
            id: "app", name: "App", secret: nil, origins: [], redirectURIs: [], providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 300, refreshIdle: 4_000,
            refreshMaximum: 9_000, refreshRotation: rotation, audiences: audiences)
    }

    @Test("the gateway's own door takes lifetimes and audiences from the client, and signs with ES256")
    func gateway() throws {
        let profile = try TokenProfile(of: Self.client(), at: .gateway)
        #expect(profile.access == .init(algorithm: .es256, audiences: [.account], life: 300))
        #expect(
            profile.id
                == .init(
                    algorithm: .es256, audience: "app", life: 3_600, scopes: [.openid, .profile, .email, .phone]))
        #expect(profile.refresh == .init(idle: 4_000, maximum: 9_000, rotation: .always))
    }

    @Test("F1: a session from before the permission never gets the audience of operators")
    func administration() throws {
        let client = Self.client(audiences: [.account, .administration])
        let rows: [(Bool, Set<Audience>)] = [(true, [.account, .administration]), (false, [.account])]
        for (administers, audiences) in rows {
            let profile = try TokenProfile(of: client, at: .gateway, administers: administers)
            #expect(profile.access.audiences == audiences)
        }
    }

    @Test("S-18: a client relaxes its rotation, but never one for administration")
    func rotation() throws {
        let rows: [(Client, TokenProfile.Rotation)] = [
            (Self.client(.always), .always), (Self.client(.relaxed), .relaxed),
            (Self.client(.relaxed, audiences: []), .relaxed),
            (Self.client(.relaxed, audiences: [.administration]), .always),
        ]
        for (client, rotation) in rows {
            #expect(try TokenProfile(of: client, at: .gateway).refresh.rotation == rotation)
        }
        let former = Self.client(.relaxed, audiences: [.account, .administration])
        #expect(try TokenProfile(of: former, at: .gateway, administers: false).refresh.rotation == .always)
    }
}
