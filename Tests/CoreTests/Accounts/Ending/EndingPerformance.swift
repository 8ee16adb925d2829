import Foundation
import JSON
import Postgres
import Testing

@testable import Accounts
@testable import OperatorAccess
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// How a test makes one change.
struct EndingPerformance: Sendable, CustomTestStringConvertible {
    typealias Preparation = @Sendable (EndingScene) async throws -> String
    typealias Performance = @Sendable (EndingScene, String) async throws -> Void

    let change: AccountChange
    /// Runs before the scene is complete; its result is for the change.
    let prepare: Preparation
    let perform: Performance

    var testDescription: String { change.rawValue }

    init(_ change: AccountChange, after prepare: @escaping Preparation, perform: @escaping Performance) {
        (self.change, self.prepare, self.perform) = (change, prepare, perform)
    }

    init(_ change: AccountChange, perform: @escaping Performance) {
        self.init(change, after: { _ in "" }, perform: perform)
    }

    static let all: [Self] = [
        passwords, factors, addresses, identities, providers, merges, accounts, sessions,
    ].flatMap { $0 }

    private static let passwords: [Self] = [
        Self(.passwordChanged) { scene, _ in
            try await scene.core.account.passwords.change(
                from: TestCore.password, to: EndingScene.newPassword, session: scene.asking, caller: TestCore.caller)
        },
        Self(.passwordReset) { scene in
            try await scene.core.flows.begin(
                .forgottenPassword(name: EndingScene.address), scene.core.request()
            ).pending.flow
        } perform: { scene, flow in
            let code = try #require(scene.core.mail.code(to: EndingScene.address))
            let answer = StepResponse(.resetPassword(code: code, newPassword: EndingScene.newPassword))
            _ = try await scene.core.flows.answer(answer, scene.core.call(flow), for: .passwordReset).signedIn
        },
        Self(.passwordSetByOperator) { scene, _ in
            try await scene.people.care.setPassword(
                PasswordVerifiers(hash: "new"), isTemporary: true, of: scene.account, because: People.reason,
                by: People.commandLine)
        },
        Self(.resetRequired) { scene, _ in
            try await scene.people.care.requireReset(scene.account, because: People.reason, by: People.commandLine)
        },
    ]

    private static let sessions: [Self] = [
        Self(.signedOutEverywhere) { scene, _ in
            try await scene.core.account.sessions.endAll(
                of: scene.account, asking: scene.asking.facts.session, client: "app", caller: TestCore.caller)
        },
        Self(.sessionsEndedByOperator) { scene, _ in
            try await scene.people.care.endSessions(
                nil, of: scene.account, because: People.reason, by: People.commandLine)
        },
        Self(.sessionDisowned) { scene, _ in
            try await scene.call(
                """
                select outcome from disown_session(\(scene.account), \(scene.sibling), \(People.signInMethods), null, 'test')
                """, gives: "reset_required")
        },
        Self(.disownedMethodDropped) { scene in
            let disowned = try await scene.core.signIn(EndingScene.address).sessionID
            try await scene.core.change(
                """
                update sessions set created_at = now() - interval '1 hour', ended_at = now(), end_reason = 'disowned'
                 where id = \(disowned)
                """)
            _ = try await scene.addPasskey()
            // Without a second factor, the recovery codes would end with any method.
            try await scene.addFactor("ann@example.org")
            return disowned.text
        } perform: { scene, disowned in
            try await scene.call(
                """
                select d.outcome from passkeys k,
                       drop_disowned_method(k.account_id, \(disowned)::uuid, 'passkey', k.id::text, \(People.signInMethods), null, 'test') d
                """, gives: "removed")
            let rows = try await scene.core.count(
                """
                select count(*) from audit_events
                 where session_id = \(disowned)::uuid and action = 'session_ended' and reason = 'disowned' and detail->>'sessions' = '3'
                """)
            #expect(rows == 1)
        },
    ]
}
