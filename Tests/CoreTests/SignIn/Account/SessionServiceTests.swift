import Accounts
import Clients
import Foundation
import SignIn
import Testing

@testable import Sessions
@testable import Vocabulary

@Suite("Refreshing, listing and ending sessions, without a front door")
struct SessionServiceTests {
    private let ann = "ann@example.com"

    @Test("a refresh rotates the token, and its repetition returns the same successor")
    func rotation() async throws {
        try await TestCore.with { core in
            let first = try await core.signUp(ann).issued
            let next = try await core.refresh(first.refreshToken)
            #expect(next.id == first.id && next.refreshToken != first.refreshToken)
            #expect(try await core.refresh(first.refreshToken).refreshToken == next.refreshToken)
            #expect(
                try await core.directory.check(PresentedToken(next.accessToken), at: core.directory.now).facts.session
                    == first.id)
        }
    }

    @Test("a token from two rotations ago ends the session")
    func reuse() async throws {
        try await TestCore.with { core in
            let first = try await core.signUp(ann).issued
            let second = try await core.refresh(first.refreshToken)
            let third = try await core.refresh(second.refreshToken)
            await #expect(throws: Rejection.refreshTokenReused) { try await core.refresh(first.refreshToken) }
            await #expect(throws: Rejection.sessionEnded(.tokenReused)) { try await core.refresh(third.refreshToken) }
        }
    }

    @Test("an ended session is refused with its reason, and the others stay")
    func ending() async throws {
        try await TestCore.with { core in
            let kept = try await core.session(try await core.signUp(ann))
            let ended = try await core.signIn(ann).issued
            #expect(try await core.account.sessions.list(account: kept.facts.account).count == 2)
            let isEnded = try await core.account.sessions.end(
                ended.id, of: kept.facts.account, reason: "signed_out", client: "app", caller: TestCore.caller)
            #expect(isEnded)
            await #expect(throws: Rejection.sessionEnded(.signedOut)) { try await core.refresh(ended.refreshToken) }
            #expect(try await core.account.sessions.list(account: kept.facts.account).map(\.id) == [kept.facts.session])
        }
    }

    @Test("no account ends the session of another")
    func foreign() async throws {
        try await TestCore.with { core in
            let session = try await core.signUp(ann).issued
            let stranger = try await core.signUp("eve@example.com").account.id
            let isEnded = try await core.account.sessions.end(
                session.id, of: stranger, reason: "signed_out", client: "app", caller: TestCore.caller)
            #expect(!isEnded)
            _ = try await core.refresh(session.refreshToken)
        }
    }

    @Test("the activity has the newest event first, page by page")
    func activity() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            _ = try await core.signIn(ann)
            _ = try await core.signIn(ann)
            var kinds: [AccountEvent.Kind] = []
            var cursor: String?
            repeat {
                let page = try await core.account.activity.events(of: session, cursor: cursor, limit: 1)
                kinds += page.events.map(\.kind)
                cursor = page.cursor
            } while cursor != nil
            #expect(kinds == [.signedIn, .signedIn, .accountCreated])
        }
    }
}

extension TestCore {
    fileprivate func refresh(_ token: String) async throws -> IssuedSession {
        try await account.sessions.refresh(token, at: .gateway, caller: Self.caller)
    }
}
