import Foundation
import JSON
import Postgres
import Testing
import WebAuthnTestAuthenticator

extension StepTests {
    /// Steps shown before an account gained a factor.
    @Suite("Steps that are due no longer")
    struct OutdatedStepTests {
        /// Another person's pending set-up of a factor, up to its last answer.
        private func standing(_ kind: String, _ email: String, _ app: String) async throws -> (
            flow: String, response: JSONObject
        ) {
            let gateway = try GatewayProcess.current
            let asked = try await gateway.passwordProved(email, app: app)
            let begun = try PendingAnswer(try await gateway.answer(asked.flow, ["factor": .string(kind)]))
            switch kind {
            case "totp":
                let secret = try #require(GatewayProcess.secret(of: begun))
                return (asked.flow, ["code": .string(GatewayProcess.code(secret))])
            case "email":
                let place = Fresh.email("example.net")
                _ = try PendingAnswer(try await gateway.answer(asked.flow, ["email": .string(place)]))
                return (asked.flow, ["code": .string(try await gateway.mailedCode(to: place, number: 1))])
            default:
                let phone = try await gateway.text(
                    "select phone_key from account_phones p join account_emails e using (account_id) where e.address_key = \(email)"
                )
                return (asked.flow, ["code": .string(try await gateway.textedCode(to: phone))])
            }
        }

        /// The user enrols a factor of the kind.
        private func enrol(_ kind: String, _ person: ProtectedPerson) async throws -> ProtectedPerson {
            let gateway = try GatewayProcess.current
            var person = person
            switch kind {
            case "totp": return try await gateway.addingTOTP(person, bearer: person.session.accessToken)
            case "passkey":
                let bearer = person.session.accessToken
                let pending = try PendingAnswer(
                    try await gateway.post("/v1/account/factors", ["type": "passkey"], bearer: bearer))
                let options = try #require(pending.step["passkey"])
                let key = try TestAuthenticator.making(options, origin: StepServer.origin)
                let added = try await gateway.confirmFactor(
                    pending.flow, ["credential": try key.register(options)], bearer: bearer)
                try #require(added.status == 201, "\(added.text)")
            default: try await gateway.add(&person, kind, at: kind == "sms" ? Fresh.phone() : Fresh.email())
            }
            return person
        }

        private func somebody() async throws -> ProtectedPerson {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let session = try await gateway.signUp(email)
            try await gateway.prove(Fresh.phone(), of: session.account)
            return ProtectedPerson(email: email, account: session.account, session: session)
        }

        private func enrolled(_ person: ProtectedPerson) async throws -> Int {
            try await GatewayProcess.current.count(
                """
                select (select count(*) from factors where account_id = \(person.account)::uuid)
                     + (select count(*) from passkeys where account_id = \(person.account)::uuid)
                """)
        }

        private static let pairs = ["totp", "email", "sms"].flatMap { waiting in
            ["totp", "email", "sms", "passkey"].map { (waiting, $0) }
        }

        @Test("D2: a set-up step shown before the account gained a factor adds none", arguments: pairs)
        func setUp(waiting: String, gained: String) async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let person = try await somebody()
            let (flow, response) = try await standing(waiting, person.email, app)
            let row = try #require(GatewayProcess.row(of: flow))
            let kept = try await gateway.text("select row_to_json(f)::text from flows f where id = \(row)")
            _ = try await enrol(gained, person)
            try await gateway.expectRefusal(
                try await gateway.answer(flow, response), 400, "flow_expired", action: "continue_sign_in")
            // As if the flow had outlived the enrolment: its step is not checked any more.
            try await gateway.change(
                "insert into flows select * from json_populate_record(null::flows, \(kept)::json)")
            try await gateway.expectRefusal(
                try await gateway.answer(flow, response), 400, "flow_expired", action: "continue_sign_in")
            #expect(try await enrolled(person) == 1)
        }

        @Test(
            "D2: the statement adds no factor through a set-up step once there is one", arguments: ["totp", "passkey"])
        func statement(gained: String) async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let person = try await somebody()
            let (flow, _) = try await standing("totp", person.email, app)
            let row = try #require(GatewayProcess.row(of: flow))
            let kept = try await gateway.text("select row_to_json(f)::text from flows f where id = \(row)")
            let effect = """
                [{"kind": "add_factor", "recovery_codes": null,
                  "factor": {"id": "\(UUID().uuidString)", "kind": "email", "address": "a@example.net", "address_key": "a@example.net"}}]
                """
            _ = try await enrol(gained, person)
            #expect(try await gateway.count("select count(*) from flows where id = \(row)") == 0)
            try await gateway.change(
                "insert into flows select * from json_populate_record(null::flows, \(kept)::json)")
            #expect(try await gateway.answerDirectly(row, effects: effect, level: "2") == "flow_expired")
            #expect(try await enrolled(person) == 1)
        }

        @Test("D2: enrolling a factor ends every other flow of the account")
        func otherFlows() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let person = try await somebody()
            let first = try await gateway.passwordProved(person.email, app: app)
            let reset = try await gateway.forgot(person.email)
            let link = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(person.email)]))
            let other = try PendingAnswer(
                try await gateway.post(
                    "/v1/account/factors", ["type": "totp"], bearer: person.session.accessToken))
            let begun = try await gateway.passwordProved(person.email, app: app)
            let setUp = try PendingAnswer(try await gateway.answer(begun.flow, ["factor": "totp"]))
            let secret = try #require(GatewayProcess.secret(of: setUp))
            let signedIn = try SignedInAnswer(
                try await gateway.answer(begun.flow, ["code": .string(GatewayProcess.code(secret))]))
            #expect(try signedIn.facts.acr == "2")
            #expect(try await gateway.answer(first.flow, ["factor": "totp"]).code == "flow_expired")
            #expect(try await gateway.reset(reset, to: "another heron over the weir").code == "flow_expired")
            #expect(
                try await gateway.passwordSignIn(person.email, GatewayProcess.password, linkFlow: link).json["session"]
                    == nil)
            let code = GatewayProcess.code(try #require(GatewayProcess.secret(of: other)))
            #expect(
                try await gateway.confirmFactor(other.flow, ["code": .string(code)], bearer: signedIn.accessToken).code
                    == "flow_expired")
            let open = try await gateway.count(
                "select count(*) from flows where account_id = \(person.account)::uuid and kind <> 'sign_in'")
            #expect(open == 0)
        }

        @Test("D2: a factor set up before a link doesn't prove the link")
        func linkOnTheWay() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.demandingClient()
            let person = try await somebody()
            let link = try gateway.linkFlow(
                try await gateway.signIn("amazon", ["email": .string(person.email)], app: app))
            let asked = try PendingAnswer(
                try await gateway.passwordSignIn(person.email, GatewayProcess.password, app: app, linkFlow: link))
            let setUp = try PendingAnswer(try await gateway.answer(asked.flow, ["factor": "totp"]))
            let secret = try #require(GatewayProcess.secret(of: setUp))
            let joined = try SignedInAnswer(
                try await gateway.answer(asked.flow, ["code": .string(GatewayProcess.code(secret))]))
            #expect(try await gateway.identities(joined) == ["amazon"])
        }
    }
}
