import JSON
import Testing

@testable import Clients
@testable import Vocabulary

@Suite("Token profiles")
struct TokenProfileTests {
    private static func client(
        _ rotation: TokenProfile.Rotation = .always, audiences: Set<Audience> = [.account],
        dialects: ClientDialects = .none
    ) -> Client {
        Client(
            id: "app", name: "App", secret: nil, origins: [], redirectURIs: [], providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 300, refreshIdle: 4_000,
            refreshMaximum: 9_000, refreshRotation: rotation, dialects: dialects, audiences: audiences)
    }

    @Test(
        "the gateway's own door takes lifetimes and audiences from the client, signs access tokens with ES256, and ID tokens with RS256"
    )
    func gateway() throws {
        let profile = try TokenProfile(of: Self.client(), at: .gateway)
        #expect(profile.access == .init(algorithm: .es256, audiences: [.account], life: 300, clientID: "app"))
        #expect(
            profile.id
                == .init(
                    algorithm: .rs256, audience: "app", life: 3_600,
                    scopes: [.openid, .profile, .email, .phone, .address, .offlineAccess]))
        #expect(profile.refresh == .init(idle: 4_000, maximum: 9_000, rotation: .always))
    }

    @Test("3-C7: ID tokens live for an hour in every dialect", arguments: TokenDialect.allCases)
    func lives(dialect: TokenDialect) throws {
        let dialects = try ClientDialects(parsing: [
            "cognito": ["pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"],
            "native_auth": ["tenant_id": "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0", "application_id": "0f1e-2d3c"],
        ])
        let profile = try TokenProfile(of: Self.client(dialects: dialects), at: dialect)
        #expect(profile.id.life == 3_600 && profile.access.life == 300)
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
