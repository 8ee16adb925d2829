import Foundation
import JSON
import Operators
import Postgres
import Testing

@testable import Accounts
@testable import OperatorAccess
@testable import SignIn
@testable import Vocabulary

/// The changes of identities and of whole accounts.
extension EndingPerformance {
    static let identities: [Self] = [
        Self(.identityLinked) { scene, _ in
            try await linkNew(scene)
        },
        Self(.identityUnlinked) { scene, _ in
            try await scene.core.accounts.unlink(scene.identity, session: scene.asking, caller: TestCore.caller)
        },
        Self(.identityUnlinkedByOperator) { scene, _ in
            _ = try await scene.people.moves.unlink(
                scene.identity, from: scene.account, because: People.reason, by: People.commandLine)
        },
        Self(.identityMovedAway) { scene, _ in
            _ = try await scene.people.moves.move(
                scene.identity, from: scene.account, to: scene.neighbour(), because: People.reason,
                by: People.commandLine)
        },
        Self(.identityMovedHere) { scene, _ in
            let neighbour = try await scene.neighbour()
            _ = try await scene.people.moves.move(
                scene.people.identity("bob"), from: neighbour, to: scene.account, because: People.reason,
                by: People.commandLine)
        },
        Self(.guestUpgraded) { scene in
            try await scene.core.change("update accounts set guest = true where id = \(scene.account)")
            return ""
        } perform: { scene, _ in
            try await linkNew(scene)
        },
    ]

    private static func linkNew(_ scene: EndingScene) async throws {
        _ = try await scene.people.moves.link(
            IdentityMoves.Subject(provider: "apple", realm: "TEAM", subject: "new"), to: scene.account,
            because: People.reason, by: People.commandLine)
    }

    static let providers: [Self] = [
        Self(.consentWithdrawn) { scene, _ in
            try await tell("consent_revoked", scene)
        },
        Self(.providerAccountDeleted) { scene, _ in
            try await tell("account_deleted", scene)
        },
        Self(.relayAddressReplaced) { scene in
            try await addRelay(scene)
        } perform: { scene, _ in
            try await tell("email_enabled", scene)
        },
        Self(.providerTokenDoubtful) { scene in
            try await scene.core.change(
                """
                insert into provider_tokens (identity_id, client_id, kind, sealed)
                values (\(scene.identity), 'client', 'refresh', 'sealed')
                """)
            return ""
        } perform: { scene, _ in
            try await scene.call(
                """
                select settle_doubtful_token(t.identity_id, t.client_id, t.kind, t.stored_at, 100, 3600) from provider_tokens t
                """, gives: "ended")
        },
    ]

    /// Applies a notice of the provider about the identity.
    private static func tell(_ kind: String, _ scene: EndingScene) async throws {
        try await scene.call(
            """
            select apply_provider_event('apple', 'TEAM', \(kind), 'ann', now() + interval '1 minute', 'new@relay.example',
                                        \(People.signInMethods), null, 'test')
            """, gives: "applied")
    }

    private static func addRelay(_ scene: EndingScene) async throws -> String {
        try await scene.core.change(
            "update identities set email = 'old@relay.example', email_is_relay = true where id = \(scene.identity)")
        try await scene.core.change(
            """
            insert into account_emails (account_id, address_key, address, source, proved_at, is_relay, is_main)
            values (\(scene.account), 'old@relay.example', 'old@relay.example', 'apple', now(), true, false)
            """)
        return ""
    }

    static let merges: [Self] = [
        Self(.mergedAway) { scene, _ in
            try await scene.people.merge(scene.account, into: scene.neighbour())
        },
        Self(.mergedInto) { scene, _ in
            try await scene.people.merge(scene.neighbour(), into: scene.account)
        },
        Self(.mergeUndone) { scene in
            try #require(try await scene.people.merge(scene.neighbour(), into: scene.account).change).text
        } perform: { scene, change in
            _ = try await scene.people.merging.undo(
                try #require(UUID(uuidString: change)), because: People.reason, by: People.commandLine)
        },
        Self(.accountSplit) { scene, _ in
            let items = try SplitItems(["identities": [.string(scene.identity.text)]])
            _ = try await scene.people.merging.split(
                scene.account, giving: items, dryRun: false, because: People.reason, by: People.commandLine)
        },
    ]

    static let accounts: [Self] = [
        Self(.accountDisabled) { scene, _ in
            try await scene.people.care.set(
                enabled: false, scene.account, because: People.reason, by: People.commandLine)
        },
        Self(.accountClosed) { scene, _ in
            try await scene.core.change("select close_account(\(scene.account), 'test', 'test')")
        },
        Self(.deletionRequested) { scene, _ in
            _ = try await scene.core.account.deletion.request(scene.asking, caller: TestCore.caller)
        },
        Self(.accountErased) { scene, _ in
            try await scene.call(
                "select outcome from begin_deletion(\(scene.account), null, 0, 'operator', null, null, null, 'test')",
                gives: "erased")
        },
        Self(.roleGranted) { scene, _ in
            try await scene.people.operators.grant(
                .viewer, to: scene.account, because: People.reason, by: People.commandLine, force: true)
        },
    ]
}
