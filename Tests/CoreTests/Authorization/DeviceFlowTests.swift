import Cryptography
import Foundation
import JSON
import Synchronization
import Testing

@testable import Authorization
@testable import Clients
@testable import Sessions
@testable import Vocabulary

/// The pure parts of the device flow (RFC 8628).
@Suite struct DeviceFlowTests {
    /// All bytes in turn.
    private final class EveryByte: Sendable {
        private let place = Atomic<UInt8>(0)

        func next(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in place.wrappingAdd(1, ordering: .relaxed).oldValue }
        }
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("A user code is eight of twenty letters, each as likely as the others")
    func userCode() {
        // Bytes from 240 on would favour the first letters, so they are skipped.
        let every = EveryByte()
        let random = RandomBytes { every.next($0) }
        let codes = (0..<30).map { _ in UserCode(random: random).text.filter { $0 != "-" } }
        let counts = Dictionary(grouping: codes.joined()) { $0 }.mapValues(\.count)
        #expect(counts.count == 20 && Set(counts.values) == [12])
        #expect(codes[0] == "BCDFGHJK")
    }

    @Test(
        "Case, dashes, blanks, full width and invisible characters don't count in a typed code",
        arguments: [
            "WDJB-MJHT", "wdjbmjht", " wdjb mj-HT\t", "ＷＤＪＢ－ＭＪＨＴ", "\u{FEFF}WDJB\u{200B}\u{2010}MJHT",
        ])
    func typed(text: String) {
        #expect(UserCode(text)?.text == "WDJB-MJHT")
    }

    @Test(
        "Other letters, other lengths and long texts are no code",
        arguments: [
            "", "WDJB-MJH", "WDJB-MJHTT", "WDJB-MJHA", "WDJB-MJH1", "ВDJB-MJHT", String(repeating: "-", count: 65),
        ])
    func noCode(text: String) {
        #expect(UserCode(text) == nil)
    }

    @Test("A device code is ours, whole, and no other secret")
    func deviceCode() throws {
        let codes = DeviceCodes(keys: try MasterKeys("k1:" + Base64URL.encode(RandomBytes.system(32))))
        let made = codes.make()
        #expect(made.text.hasPrefix("dc_") && codes.digest(of: made.text) == made.digest)
        #expect(codes.make().text != made.text)
        let changed = made.text.dropLast(2) + (made.text.hasSuffix("AA") ? "BB" : "AA")
        for text in ["", "dc_", String(made.text.dropLast(4)), String(changed), "rt_" + made.text.dropFirst(3)] {
            #expect(codes.digest(of: text) == nil, "\(text)")
        }
    }

    private static func decide(
        _ session: SessionSnapshot, _ client: Client, begun: TimeInterval = 50, canRaise: Bool = true
    ) -> DeviceDecision {
        DeviceDecision(
            session, for: client, begun: now.addingTimeInterval(-begun), canRaise: canRaise, now: now)
    }

    private static func session(
        _ provider: String = "password", acr: String = "1", at client: String = "other", age: TimeInterval = 100
    ) -> SessionSnapshot {
        let time = now.addingTimeInterval(-age)
        return SessionSnapshot(
            facts: AccessTokenFacts(
                session: UUID(), account: UUID(), clientID: client, provider: provider, authTime: time, amr: ["pwd"],
                acr: acr),
            account: AccountSummary(
                id: UUID(), displayName: "Ann", email: nil, emailVerified: false, createdAt: time),
            createdAt: time, expiresAt: now.addingTimeInterval(1_000), deviceName: nil, administers: false,
            dialect: .gateway, scopes: [], resources: .none, requestedClaims: .none,
            standing: .init(digest: [], idleSeconds: 600, idleExpiresAt: now.addingTimeInterval(500), claimsDueAt: nil))
    }

    @Test("The user is always asked, also for an app of ours")
    func asked() {
        #expect(Self.decide(Self.session(), AuthorizationRequestTests.client()) == .ask)
        #expect(Self.decide(Self.session(), AuthorizationRequestTests.client(openID: .unreadable)) == .ask)
    }

    @Test("A session that does not serve the app of the device is raised or renewed first")
    func served() {
        let strict = AuthorizationRequestTests.client(demandsSecondFactor: true)
        #expect(Self.decide(Self.session(), strict) == .raise)
        #expect(Self.decide(Self.session(), strict, canRaise: false) == .signIn)
        #expect(Self.decide(Self.session(acr: "2"), strict) == .ask)
        let plain = AuthorizationRequestTests.client()
        #expect(Self.decide(Self.session("google"), plain) == .signIn)
        #expect(Self.decide(Self.session("google", age: 20), plain) == .signIn, "that sign-in was for another app")
        #expect(Self.decide(Self.session("google", at: plain.id, age: 20), plain) == .refuse)
        #expect(Self.decide(Self.session("google", at: plain.id, age: 100), plain) == .signIn, "it is an old one")
    }

    @Test("Only an app that is allowed to, and never one for administration, may use the device flow")
    func clients() throws {
        let off = AuthorizationRequestTests.client()
        let on = AuthorizationRequestTests.client(openID: try OpenIDSettings(parsing: ["device_flow": true]))
        #expect(!off.usesDeviceFlow && on.usesDeviceFlow)
        let scope = AuthorizationParameters([("scope", "openid email strange")])
        #expect(throws: Rejection.device(.clientNotAllowed)) { try DeviceAuthorization(scope, of: off) }
        #expect(try DeviceAuthorization(scope, of: on).access.scopes == [.openid, .email])
        #expect(try DeviceAuthorization(AuthorizationParameters([]), of: on).access.names == [])
        for wrong in [[("scope", "strange")], [("scope", "openid"), ("scope", "email")]] {
            #expect(throws: AuthorizationFault.self) { try DeviceAuthorization(AuthorizationParameters(wrong), of: on) }
        }
    }

    private static func asked(_ resources: [String], by origin: ClientOrigin = .operator) throws -> GrantedAccess {
        let client = Client(
            id: "shop", name: "Shop", secret: nil, origins: [], redirectURIs: [], providers: ["password"],
            linkingPolicy: LinkingPolicy(bothVerified: .link), accessTokenLife: 600, refreshIdle: 86_400,
            refreshMaximum: 864_000, openID: try OpenIDSettings(parsing: ["device_flow": true]), origin: origin)
        let parameters = [("scope", "openid files:read")] + resources.map { ("resource", $0) }
        return try DeviceAuthorization(
            AuthorizationParameters(parameters), of: client, among: try ResourceScopesTests.catalogue()
        ).access
    }

    @Test(
        "A device asks for resources by the rules of /authorize: registered, allowed to its app, and one for an agent")
    func resources() throws {
        let files = ResourceScopesTests.files
        let one = try Self.asked([files])
        #expect(one.scopes == [.openid] && one.resources == ResourceScopes([files: ["files:read"]]))
        #expect(try Self.asked([files], by: .registration) == one)
        #expect(try Self.asked([]) == GrantedAccess(scopes: [.openid], resources: .none))
        let target = try #require(AuthorizationFault.Word(rawValue: "invalid_target"))
        for (resources, origin) in [
            ([], .registration), (["https://other.example"], .operator), ([ResourceScopesTests.mail], .operator),
            (["files"], .operator),
        ] as [([String], ClientOrigin)] {
            let fault = #expect(throws: AuthorizationFault.self) { try Self.asked(resources, by: origin) }
            #expect(fault?.word == target, "\(resources)")
        }
    }
}
