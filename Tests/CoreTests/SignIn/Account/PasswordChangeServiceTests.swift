import Foundation
import Sessions
import SignIn
import Testing

@testable import Vocabulary

@Suite("Password changes, without a front door")
struct PasswordChangeServiceTests {
    private let ann = "ann@example.com"
    private let new = "blue lantern above the quay 7"

    @Test("the new password signs in, the old one does not, and every other session ends")
    func changed() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            let other = try await core.signIn(ann)
            try await core.account.passwords.change(
                from: TestCore.password, to: new, session: session, caller: TestCore.caller)
            #expect(try await core.signIn(ann, new).account.id == session.facts.account)
            await #expect(throws: Rejection.invalidCredentials(account: session.facts.account)) {
                try await core.signIn(ann)
            }
            let open = try await core.account.sessions.list(account: session.facts.account).map(\.id)
            #expect(open.contains(session.facts.session) && !open.contains(other.sessionID))
        }
    }

    @Test("a wrong, a missing and the same password change nothing")
    func refused() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            let refusals: [(String?, String, Rejection)] = [
                (new, new, .invalidCredentials()), (nil, new, .invalidField(.currentPassword, .required)),
                (TestCore.password, TestCore.password, .passwordUnchanged),
                (TestCore.password, "short", .passwordTooShort(minimum: 8)),
            ]
            for (old, new, refusal) in refusals {
                await #expect(throws: refusal) {
                    try await core.account.passwords.change(
                        from: old, to: new, session: session, caller: TestCore.caller)
                }
            }
            #expect(try await core.signIn(ann).account.id == session.facts.account)
        }
    }
}
