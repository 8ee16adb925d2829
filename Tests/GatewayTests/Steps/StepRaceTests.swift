import Foundation
import JSON
import Postgres
import Testing

extension StepTests {
    /// Changes of an account while an answer of its user is checked.
    @Suite("Answers to steps at the same time as changes")
    struct StepRaceTests {
        @Test("S-08: a global sign-out also ends the session of a pending step-up")
        func signedOutWhileRaised() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let asked = try PendingAnswer(
                try await gateway.post("/v1/session/step-up", [:], bearer: person.session.accessToken))
            let flow = try #require(GatewayProcess.row(of: asked.flow))
            let answer = try await gateway.racing(
                """
                select answer_sign_in_flow(
                           id, revision, true, null, row(5, 20, 180000, 600, 3600)::flow_limits, '[]', '{}', null, null, 0, null, '{}', '{}', '{}', '[]', true,
                           row(gen_random_uuid(), client_id, 'password', '\\x01', now(), '{pwd,otp,mfa}', '2', 3600,
                               7200, null, null, null, 'test', null, false, 600, 60, 8, null, null, null, true, null, null, null)::session_request, null, '{}', '{}', '{}')
                  from flows where id = \(flow)
                """
            ) { try await gateway.signOut(person.session.accessToken, scope: "global") }
            #expect(answer.status == 204, "\(answer.text)")
            let ended = try await gateway.sql { [account = person.account] connection -> [String] in
                try connection.query(
                    "select coalesce(end_reason, 'open') from sessions where account_id = \(account)::uuid order by 1"
                ).map { try $0.value(0) }
            }
            // The first one is the session that enrolled the factor.
            #expect(ended == ["signed_out", "signed_out_everywhere", "stepped_up"])
        }

        /// The changes that delete an account's flows, and their lock on the account.
        enum Change: String, CaseIterable, Sendable {
            case disabling, reset

            var lock: String { self == .disabling ? "update" : "no key update" }

            func statement(_ account: String) -> SQL {
                switch self {
                case .disabling: "select set_account_status(\(account)::uuid, 'disabled', 'test', 'test')"
                case .reset: "select set_password_state(\(account)::uuid, 'reset_required', null, 'operator', 'test')"
                }
            }
        }

        @Test("an answer and a deletion of its flow never deadlock", arguments: Change.allCases)
        func flowTakenAway(change: Change) async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.protectedPerson()
            let asked = try await gateway.passwordProved(person.email)
            let code = try await gateway.freshCode(person)
            let answer = try await gateway.racing(
                "select 1 from accounts where id = \(person.account)::uuid for \(unsafeSQL: change.lock)",
                then: change.statement(person.account)
            ) { try await gateway.answer(asked.flow, ["code": .string(code)]) }
            #expect(answer.code == "flow_expired", "\(answer.text)")
            let open = try await gateway.count(
                "select count(*) from sessions where account_id = \(person.account)::uuid and ended_at is null")
            #expect(open == 0)
        }
    }
}
