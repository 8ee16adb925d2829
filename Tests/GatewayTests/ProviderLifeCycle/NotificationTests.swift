import JSON
import Postgres
import Testing

/// Apple's notifications about users (J-28).
@Suite("Apple's notifications", .gateway())
struct NotificationTests {}

extension NotificationTests {
    @Suite("Effective notifications")
    struct EffectTests {
        @Test(
            "J-28: a revoked consent ends its sessions, in every form of the event",
            arguments: ["text", "object", "list"])
        func consentRevoked(form: String) async throws {
            let gateway = try GatewayProcess.current
            let (session, subject) = try await gateway.applePerson()
            let other = try await gateway.link(try await gateway.simulator.mint("google"), bearer: session.accessToken)
            #expect(other.status == 201)
            let apple = SignedInAnswerPair(session, try await gateway.session("apple", ["subject": .string(subject)]))
            #expect(try await gateway.storedTokens(of: session.identity) == 1)

            try await gateway.hear("consent-revoked", of: subject, ["form": .string(form)])
            try await gateway.expectEnded(apple.first)
            try await gateway.expectEnded(apple.second)
            let ended = try await gateway.checkSession(session.accessToken)
            #expect(ended.json["reason"] == "consent_withdrawn", "\(ended.text)")
            #expect(try await gateway.storedTokens(of: session.identity) == 0)
            // Apple has ended the tokens itself, so there is nothing to revoke.
            #expect(
                try await gateway.count(
                    "select count(*) from provider_revocations where identity_id = \(session.identity)::uuid") == 0)
            let row = try #require(
                try await gateway.audit(account: session.account).first { $0.action == "provider_consent_revoked" })
            #expect(row.provider == "apple")
            #expect(row.identity == session.identity)
            #expect(row.detail?["sessions"] == 2)

            // The user signs in again, with new consent.
            let again = try await gateway.session("apple", ["subject": .string(subject)])
            #expect(again.account == session.account)
            #expect(
                try await gateway.count(
                    "select count(*) from identities where id = \(session.identity)::uuid and revoked_at is null") == 1)
        }

        @Test("J-28: a session from another sign-in method continues")
        func otherSessions() async throws {
            let gateway = try GatewayProcess.current
            let (session, subject) = try await gateway.applePerson()
            let google: JSONObject = ["subject": .string(Fresh.subject("google"))]
            _ = try await gateway.link(
                try await gateway.simulator.mint("google", google), bearer: session.accessToken)
            let other = try await gateway.session("google", google)
            #expect(other.account == session.account)
            try await gateway.hear("consent-revoked", of: subject)
            try await gateway.expectEnded(session)
            #expect(try await gateway.works(other))
        }

        @Test("J-28: a notification takes effect once, and an outdated one never")
        func onceAndInOrder() async throws {
            let gateway = try GatewayProcess.current
            let (first, subject) = try await gateway.applePerson()
            let body = try await gateway.simulator.notification(["subject": .string(subject)])
            #expect(try await gateway.notify(body).status == 200)
            try await gateway.expectEnded(first)
            let second = try await gateway.session("apple", ["subject": .string(subject)])
            // The same notification again, and another one from before the newest sign-in.
            #expect(try await gateway.notify(body).status == 200)
            try await gateway.hear("consent-revoked", of: subject, ["event_time": .integer(1_600_000_000_000)])
            try await gateway.hear("consent-revoked", of: subject, ["event_time": .integer(1_600_000_000)])
            #expect(try await gateway.works(second))
            let rows = try await gateway.audit(account: first.account)
            #expect(rows.filter { $0.action == "provider_consent_revoked" }.count == 1)
        }

        @Test("J-28: an event with a future time does not make later ones outdated")
        func ahead() async throws {
            let gateway = try GatewayProcess.current
            let (first, subject) = try await gateway.applePerson()
            try await gateway.hear("consent-revoked", of: subject, ["event_time": .integer(4_102_444_800_000)])
            try await gateway.expectEnded(first)
            let second = try await gateway.session("apple", ["subject": .string(subject)])
            try await gateway.hear("consent-revoked", of: subject)
            try await gateway.expectEnded(second)
        }

        @Test(
            "J-28: an unknown subject and an unknown event are accepted without effect",
            arguments: ["subject", "type"])
        func unknown(what: String) async throws {
            let gateway = try GatewayProcess.current
            let (session, subject) = try await gateway.applePerson()
            if what == "subject" {
                try await gateway.hear("consent-revoked", of: "000000.nobody.0000")
            } else {
                try await gateway.hear("person-moved-house", of: subject)
            }
            #expect(try await gateway.works(session))
            #expect(try await gateway.audit(account: session.account).map(\.action) == ["account_created"])
        }

        @Test("J-28: an unknown member of an event does not prevent other effects")
        func unknownShape() async throws {
            let gateway = try GatewayProcess.current
            let (session, subject) = try await gateway.applePerson()
            let strange: [JSON] = [
                ["type": "person-moved-house"], ["type": "x", "sub": 7, "event_time": "now", "email": []],
                ["type": .string(String(repeating: "y", count: 500)), "sub": ""],
            ]
            for events in [strange, [strange[0]]] {
                let answer = try await gateway.notify(
                    try await gateway.simulator.notification(["events": .array(events)]))
                #expect(answer.status == 200)
            }
            #expect(try await gateway.works(session))
            let known: JSON = ["type": "consent-revoked", "sub": .string(subject)]
            let answer = try await gateway.notify(
                try await gateway.simulator.notification(["events": .array(strange + [known])]))
            #expect(answer.status == 200)
            try await gateway.expectEnded(session)
        }

        @Test("J-28: all events of a notification take effect, each for its user")
        func several() async throws {
            let gateway = try GatewayProcess.current
            let people = try await inParallel(0..<3) { _ in try await gateway.applePerson() }
            let events: [JSON] = people.map { ["type": "consent-revoked", "sub": .string($0.subject)] }
            let mixed: [JSON] = [.string(events[0].text), events[1], events[2]]
            let answer = try await gateway.notify(try await gateway.simulator.notification(["events": .array(mixed)]))
            #expect(answer.status == 200)
            for person in people { try await gateway.expectEnded(person.session) }
        }

        @Test(
            "J-28: a deleted Apple account deletes its identity; without another sign-in method the account is closed",
            arguments: ["account-delete", "account-deleted"])
        func accountDeleted(type: String) async throws {
            let gateway = try GatewayProcess.current
            let (alone, subject) = try await gateway.applePerson()
            try await gateway.hear(type, of: subject)
            try await gateway.expectEnded(alone)
            let actions = try await gateway.audit(account: alone.account).map(\.action)
            #expect(actions.contains("provider_account_deleted"))
            #expect(actions.contains("identity_unlinked"))
            let closed = try #require(
                try await gateway.audit(account: alone.account).first { $0.action == "account_closed" })
            #expect(closed.reason == "provider_account_deleted")
            try await gateway.expectRow(
                "select status || (select count(*) from identities where account_id = a.id) from accounts a where id = \(alone.account)::uuid",
                "closed0")
            #expect(
                try await gateway.count(
                    "select count(*) from provider_revocations where identity_id = \(alone.identity)::uuid") == 0)
        }

        @Test("J-28: with another sign-in method the account stays, and a proved address is notified")
        func accountDeletedBesideOthers() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let person = try await gateway.signUp(email)
            let subject = Fresh.subject("apple")
            let apple = try await gateway.link(
                try await gateway.simulator.mint("apple", ["subject": .string(subject)]), bearer: person.accessToken)
            #expect(apple.status == 201)
            try await gateway.hear("account-deleted", of: subject)
            #expect(try await gateway.works(person))
            #expect(try await gateway.identities(person) == [])
            try await gateway.expectRow(
                "select kind from outbox where address = \(email) and kind like 'notice.provider%'",
                "notice.provider_account_deleted")
        }

        @Test("J-28: a disabled relay address gets no mail until it is enabled again")
        func email() async throws {
            let gateway = try GatewayProcess.current
            let relay = "\(Fresh.text())@privaterelay.appleid.com"
            let (session, subject) = try await gateway.applePerson(["email": .string(relay)])
            try await gateway.hear("email-disabled", of: subject, ["email": .string(relay)])
            #expect(try await gateway.works(session))
            let listed = try await gateway.get("/v1/account/addresses", bearer: session.accessToken)
            #expect(listed.json["addresses"]?.array?.first?["undeliverable_since"]?.string != nil)
            try await write(to: relay, gateway)
            try await gateway.expectOutbox(relay, "refused 1 forwarding_off")

            // An event from before the switch-off arrives late.
            try await gateway.hear(
                "email-enabled", of: subject, ["email": .string(relay), "event_time": 1_600_000_000_000])
            try await write(to: relay, gateway)
            try await gateway.expectOutbox(relay, "refused 1 forwarding_off")

            let next = "next-\(relay)"
            try await gateway.hear("email-enabled", of: subject, ["email": .string(next)])
            try await write(to: next, gateway)
            try await gateway.expectOutbox(next, "sent 1")
            try await gateway.expectRow(
                """
                select concat_ws(' ', address, undeliverable_since) from account_emails where account_id = \(session.account)::uuid
                """, next)
        }

        private func write(to address: String, _ gateway: GatewayProcess) async throws {
            try await gateway.change(
                """
                insert into outbox (id, medium, address, kind, language, detail, expires_at)
                values (gen_random_uuid(), 'email', \(address), 'notice.password_changed', 'en', '{}', now() + interval '1 day')
                """)
            try await gateway.change("notify gateway_outbox")
        }

        private struct SignedInAnswerPair {
            let first: SignedInAnswer
            let second: SignedInAnswer

            init(_ first: SignedInAnswer, _ second: SignedInAnswer) { (self.first, self.second) = (first, second) }
        }
    }
}
