import Clients
import Foundation
import JSON
import Testing
import Vocabulary

@testable import Cognito
@testable import Sessions

/// The rules of `ListUserSessions` and `RevokeUserSession`.
@Suite("Cognito's API: the list of sessions")
struct CognitoSessionListTests {
    private static let current = id(1)

    @Test("the list has the sessions at the pool's apps, and browsers from which they began")
    func shown() throws {
        let browser = Self.session(5, client: "elsewhere")
        let list = Self.list([
            Self.session(1), Self.session(2, client: "other", browser: 5), browser,
            Self.session(6, client: "elsewhere"),
        ])
        let page = try list.page(after: nil)
        #expect(page.next == nil)
        #expect(page.sessions.map { $0["SessionType"] } == ["SSO", "TOKEN", "TOKEN"])
        #expect(page.sessions.map { $0["ClientId"] } == [nil, "2example", "1example"])
        let origin = CognitoSessionID(.browser, Self.id(5)).text
        #expect(page.sessions.map { $0["OriginSessionId"] } == [nil, .string(origin), nil])
        #expect(page.sessions.map { $0["IsCurrentSession"] } == [false, false, true])
        #expect(page.sessions[0]["SessionId"] == .string(origin))
    }

    @Test("a session without a known device or address says so")
    func unknown() throws {
        let sessions = try Self.list([Self.session(1)]).page(after: nil).sessions
        #expect(sessions.count == 1 && sessions[0]["DeviceType"] == "unknown")
        #expect(sessions[0]["LastIPAddress"] == nil && sessions[0]["LastLocation"] == nil)
        #expect(sessions[0]["CreateDate"] == .double(1_000) && sessions[0]["LastActiveDate"] == .double(2_000))
    }

    @Test("a page has 125 sessions, and the next one those before; an ended session leaves no gap")
    func pages() throws {
        let all = (1...130).map { Self.session($0) }
        let first = try Self.list(all).page(after: nil)
        #expect(first.sessions.count == 125 && first.sessions[0]["SessionId"] == .string(Self.text(130)))
        #expect(first.next == Self.text(6))
        let second = try Self.list(all.filter { $0.id != Self.id(6) }).page(after: first.next)
        #expect(second.sessions.map { $0["SessionId"] } == (1...5).reversed().map { .string(Self.text($0)) })
        #expect(second.next == nil)
        #expect(throws: CognitoError.invalid("Invalid parameter NextToken.")) {
            try Self.list(all).page(after: "elsewhere")
        }
    }

    @Test("a session ends alone, and with LINKED together with its browser's session")
    func ends() throws {
        let list = Self.list([Self.session(1), Self.session(2, browser: 5), Self.session(5)])
        #expect(try list.ends(of: Self.text(2), withLinked: false) == [Self.id(2)])
        #expect(try list.ends(of: Self.text(2), withLinked: true) == [Self.id(2), Self.id(5)])
        let browser = CognitoSessionID(.browser, Self.id(5)).text
        #expect(try list.ends(of: browser, withLinked: true) == [Self.id(5)])
    }

    @Test("nothing that ends the caller's session is accepted, directly or through its browser")
    func own() throws {
        let list = Self.list([Self.session(1, browser: 5), Self.session(2, browser: 5), Self.session(5)])
        for (number, isLinked) in [(1, false), (5, false), (2, true)] {
            #expect(throws: CognitoError.self, "\(number)") {
                try list.ends(of: Self.text(number), withLinked: isLinked)
            }
        }
        #expect(try list.ends(of: Self.text(2), withLinked: false) == [Self.id(2)])
    }

    @Test("an unknown session is not found, one of an app outside the pool neither, and another text is no id")
    func refused() throws {
        let list = Self.list([Self.session(1), Self.session(2, client: "elsewhere")])
        for number in [2, 3] {
            #expect(throws: Rejection.notFound) { try list.ends(of: Self.text(number), withLinked: false) }
        }
        #expect(throws: CognitoError.invalid("Invalid parameter SessionId.")) {
            try list.ends(of: Self.id(1).uuidString, withLinked: false)
        }
    }

    // MARK: Sessions

    private static func list(_ sessions: [DeviceSession]) -> CognitoSessionList {
        CognitoSessionList(sessions, current: current, apps: ["app": "1example", "other": "2example"])
    }

    private static func session(_ number: Int, client: String = "app", browser: Int? = nil) -> DeviceSession {
        DeviceSession(
            id: id(number), clientID: client, provider: "password", dialect: .cognito, deviceName: nil, address: nil,
            userAgent: nil, createdAt: Date(timeIntervalSince1970: 1_000),
            lastUsedAt: Date(timeIntervalSince1970: 2_000), idleExpiresAt: .distantFuture, expiresAt: .distantFuture,
            browser: browser.map(id))
    }

    private static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number)))
    }

    private static func text(_ number: Int) -> String { CognitoSessionID(.token, id(number)).text }
}
