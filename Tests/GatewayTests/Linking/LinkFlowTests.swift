import Foundation
import JSON
import Testing

extension LinkingTests {
    @Suite("Joining by a second sign-in")
    struct LinkFlowTests {
        @Test("a password links the pending identity", arguments: ["app", "asking"])
        func joinedByPassword(app: String) async throws {
            let gateway = try GatewayProcess.current
            _ = try await gateway.askingClient()
            let email = Fresh.email()
            let holder = try await gateway.signUp(email)
            let provider = app == "asking" ? "google" : "amazon"
            let person: JSONObject = ["subject": .string(Fresh.subject(provider)), "email": .string(email)]
            let flow = try gateway.linkFlow(try await gateway.signIn(provider, person, app: app))
            let joined = try SignedInAnswer(
                try await gateway.passwordSignIn(email, GatewayProcess.password, app: app, linkFlow: flow))
            #expect(joined.account == holder.account)
            let rows = try await gateway.audit(joined.answer, atLeast: 2)
            #expect(rows.map(\.action) == ["identity_linked", "signed_in"])
            #expect(rows[0].reason == "proved_both" && rows[0].session == joined.session)
            let again = try await gateway.session(provider, person, app: app)
            #expect(again.account == holder.account && again.email == email)
            try await expectSpent(gateway, flow, email, app: app)
        }

        @Test("another provider's sign-in links the pending identity")
        func joinedByProvider() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holding: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(email)]
            let holder = try await gateway.session("apple", holding)
            let person: JSONObject = ["subject": .string(Fresh.subject("amazon")), "email": .string(email)]
            let flow = try gateway.linkFlow(try await gateway.signIn("amazon", person))
            let joined = try await gateway.session("apple", holding, linkFlow: flow)
            #expect(joined.account == holder.account)
            #expect(try await gateway.identities(joined) == ["apple", "amazon"])
            #expect(try await gateway.session("amazon", person).account == holder.account)
        }

        @Test("a wrong password links nothing and keeps the flow")
        func wrongPassword() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let flow = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(email)]))
            let wrong = try await gateway.passwordSignIn(email, "another password altogether", linkFlow: flow)
            try await gateway.expectRefusal(wrong, 401, "invalid_credentials", provider: "password")
            _ = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password, linkFlow: flow))
        }

        @Test("a flow belongs to the client that started it")
        func otherClient() async throws {
            let gateway = try GatewayProcess.current
            let app = try await gateway.askingClient()
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            let flow = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(email)]))
            let answer = try await gateway.passwordSignIn(email, GatewayProcess.password, app: app, linkFlow: flow)
            try await gateway.expectRefusal(answer, 400, "flow_expired", provider: "password")
        }

        @Test("a flow is valid for its own step", arguments: ["fl_", "fl_AAAA", "x", "fl_!!!"])
        func nobodysFlow(flow: String) async throws {
            let gateway = try GatewayProcess.current
            let answer = try await gateway.signIn("apple", linkFlow: flow)
            try await gateway.expectRefusal(answer, 400, "flow_expired", provider: "apple")
            let signUp = try await gateway.beginSignUp(Fresh.email())
            try await gateway.expectRefusal(
                try await gateway.signIn("apple", linkFlow: signUp), 400, "flow_expired", provider: "apple")
        }

        @Test("twenty concurrent proofs link the identity once")
        func inParallelProofs() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holding: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(email)]
            let holder = try await gateway.session("apple", holding)
            let flow = try gateway.linkFlow(try await gateway.signIn("amazon", ["email": .string(email)]))
            let proofs = try await inParallel(0..<20) { _ in try await gateway.simulator.mint("apple", holding) }
            let answers = try await inParallel(proofs) { try await gateway.signIn($0, linkFlow: flow) }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.count { $0.code == "flow_expired" } == 19)
            #expect(try await gateway.identities(holder) == ["apple", "amazon"])
        }

        // MARK: L-07, L-08

        @Test("L-07: a proof of another account than the required one links nothing")
        func subjectChanged() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holding: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(email)]
            let holder = try await gateway.session("apple", holding)
            let subject = Fresh.subject("amazon")
            let flow = try gateway.linkFlow(
                try await gateway.signIn("amazon", ["subject": .string(subject), "email": .string(email)]))
            let stranger: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
            _ = try await gateway.session("google", stranger)
            let known = try await gateway.signIn("google", stranger, linkFlow: flow)
            try await gateway.expectRefusal(known, 409, "link_subject_changed", provider: "google")
            let nobody = Fresh.subject("google")
            let new = try await gateway.signIn("google", ["subject": .string(nobody)], linkFlow: flow)
            try await gateway.expectRefusal(new, 409, "link_subject_changed", provider: "google")
            try await gateway.expectNobody("google", nobody)
            let strangersEmail = Fresh.email()
            _ = try await gateway.signUp(strangersEmail)
            let byPassword = try await gateway.passwordSignIn(strangersEmail, GatewayProcess.password, linkFlow: flow)
            try await gateway.expectRefusal(byPassword, 409, "link_subject_changed", provider: "password")
            try await gateway.expectNobody("amazon", subject)
            #expect(try await gateway.session("apple", holding, linkFlow: flow).account == holder.account)
        }

        @Test("L-08: an identity of another account is not linked, and stays where it is")
        func identityInUse() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
            let owner = try await gateway.session("google", person)
            let other = try await gateway.session("apple")
            let answer = try await gateway.link(
                try await gateway.simulator.mint("google", person), bearer: other.accessToken)
            try await gateway.expectRefusal(answer, 409, "identity_in_use", action: "link_identity", provider: "google")
            #expect(try await gateway.audit(answer).first?.account == other.account)
            #expect(try await gateway.identities(other) == ["apple"])
            #expect(try await gateway.session("google", person).account == owner.account)
        }

        @Test("L-08: an identity that found another account while its flow waited is not joined")
        func identityTakenMeanwhile() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let holding: JSONObject = ["subject": .string(Fresh.subject("apple")), "email": .string(email)]
            let holder = try await gateway.session("apple", holding)
            let person: JSONObject = ["subject": .string(Fresh.subject("amazon")), "email": .string(email)]
            let first = try gateway.linkFlow(try await gateway.signIn("amazon", person))
            let second = try gateway.linkFlow(try await gateway.signIn("amazon", person))
            let declined = try SignedInAnswer(
                try await gateway.post(
                    "/v1/sign-in/continue", ["flow": .string(first), "response": ["create_account": true]]))
            let late = try await gateway.signIn("apple", holding, linkFlow: second)
            try await gateway.expectRefusal(late, 409, "identity_in_use", provider: "apple")
            #expect(try await gateway.identities(holder) == ["apple"])
            #expect(try await gateway.session("amazon", person).account == declined.account)
        }

        private func expectSpent(_ gateway: GatewayProcess, _ flow: String, _ email: String, app: String) async throws {
            let again = try await gateway.passwordSignIn(email, GatewayProcess.password, app: app, linkFlow: flow)
            try await gateway.expectRefusal(again, 400, "flow_expired", provider: "password")
        }
    }
}
