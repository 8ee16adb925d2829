import Accounts
import Foundation
import Postgres
import Sessions
import Testing

@testable import Vocabulary

@Suite("Deletion of the own account, without a front door")
struct DeletionServiceTests {
    private let ann = "ann@example.com"

    @Test("a request names its day and ends every session; a later sign-in cancels it")
    func cancelled() async throws {
        try await TestCore.with { core in
            let signedIn = try await core.signUp(ann)
            let session = try await core.session(signedIn)
            let requested = try await core.account.deletion.request(session, caller: TestCore.caller)
            let deletion = try #require(requested)
            #expect(deletion.dueAt.timeIntervalSince(deletion.requestedAt) == 14 * 86_400)
            await #expect(throws: Rejection.self) { try await core.session(signedIn) }
            let later = try await core.session(try await core.signIn(ann))
            #expect(later.account.deletion == deletion)
            try await core.account.deletion.cancel(later, caller: TestCore.caller)
            #expect(try await core.session(try await core.signIn(ann)).account.deletion == nil)
        }
    }

    @Test("an old proof requests no deletion")
    func oldProof() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            try await core.change("update sessions set auth_time = now() - interval '1 day'")
            await #expect(throws: Rejection.reauthRequired) {
                try await core.account.deletion.request(session, caller: TestCore.caller)
            }
            #expect(try await core.count("select count(*) from accounts where deletion_requested_at is not null") == 0)
        }
    }
}
