import JSON
import Postgres
import Testing

extension LinkingTests {
    @Suite("The last sign-in method")
    struct UnlinkTests {
        @Test("L-10: the only identity can't be unlinked", arguments: ["apple", "amazon"])
        func onlyIdentity(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.session(provider)
            let answer = try await unlink(gateway, session.identity, session)
            try await gateway.expectRefusal(answer, 409, "last_credential", action: "unlink_identity")
            #expect(try await gateway.identities(session) == [provider])
        }

        @Test("L-10: of two identities, only one can be unlinked")
        func twoIdentities() async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.session("apple")
            let other = try await linked(gateway, "google", to: session)
            let first = try await unlink(gateway, session.identity, session)
            #expect(first.status == 204)
            #expect(try await gateway.audit(first).map(\.action) == ["identity_unlinked"])
            try await gateway.expectRefusal(
                try await unlink(gateway, other, session), 409, "last_credential", action: "unlink_identity")
        }

        @Test("L-10: a password with a proved address is a sign-in method")
        func passwordRemains() async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.signUp(Fresh.email())
            let identity = try await linked(gateway, "google", to: session)
            #expect(try await unlink(gateway, identity, session).status == 204)
        }

        @Test("L-10: a password with an unproved address is no sign-in method")
        func unprovedPassword() async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.session("google", ["email": .string(Fresh.email("example.org"))])
            try await gateway.sql { [account = session.account] in
                _ = try $0.execute("insert into passwords (account_id, hash) values (\(account)::uuid, 'x')")
            }
            try await gateway.expectRefusal(
                try await unlink(gateway, session.identity, session), 409, "last_credential", action: "unlink_identity")
        }

        @Test("L-10: an identity of a disabled provider is no sign-in method")
        func disabledProvider() async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.session("acme")
            let google = try await linked(gateway, "google", to: session)
            let narrower = try await gateway.deployment.start(["OIDC_PROVIDERS": "google"])
            let answer = try await narrower.delete("/v1/account/identities/\(google)", bearer: session.accessToken)
            try await narrower.expectRefusal(answer, 409, "last_credential", action: "unlink_identity")
            await narrower.terminate()
            #expect(try await unlink(gateway, google, session).status == 204)
        }

        @Test("L-10: of two identities unlinked concurrently one stays")
        func bothAtOnce() async throws {
            let gateway = try GatewayProcess.current
            for _ in 0..<5 {
                let session = try await gateway.session("apple")
                let other = try await linked(gateway, "google", to: session)
                let answers = try await inParallel([session.identity, other]) { try await unlink(gateway, $0, session) }
                #expect(answers.map(\.status).sorted() == [204, 409])
                #expect(try await gateway.identities(session).count == 1)
            }
        }

        @Test("another account's identity cannot be unlinked", arguments: ["theirs", "nobody's", "no id"])
        func notMine(kind: String) async throws {
            let gateway = try GatewayProcess.current
            let session = try await gateway.session("apple")
            let theirs = try await gateway.session("google")
            let id = kind == "theirs" ? theirs.identity : kind == "no id" ? "x" : "00000000-0000-7000-8000-000000000000"
            try await gateway.expectRefusal(
                try await unlink(gateway, id, session), 404, "not_found", action: "unlink_identity")
            #expect(try await gateway.identities(theirs) == ["google"])
        }

        @Test("sessions that began with an unlinked identity end, except the current one")
        func sessionsEnd() async throws {
            let gateway = try GatewayProcess.current
            let person: JSONObject = ["subject": .string(Fresh.subject("google")), "email": .string(Fresh.email())]
            let asking = try await gateway.session("google", person)
            let other = try await gateway.session("google", person)
            _ = try await linked(gateway, "apple", to: asking)
            #expect(try await unlink(gateway, asking.identity, asking).status == 204)
            try await gateway.expectEnded(other)
            #expect(try await gateway.get("/v1/session", bearer: asking.accessToken).status == 200)
        }

        /// Links a new identity of a provider; returns its id.
        private func linked(_ gateway: GatewayProcess, _ provider: String, to session: SignedInAnswer) async throws
            -> String
        {
            let answer = try await gateway.link(try await gateway.simulator.mint(provider), bearer: session.accessToken)
            try #require(answer.status == 201, "\(answer.text)")
            return try #require(answer.json["identity"]?["id"]?.string)
        }

        private func unlink(_ gateway: GatewayProcess, _ identity: String, _ session: SignedInAnswer) async throws
            -> TestAnswer
        {
            try await gateway.delete("/v1/account/identities/\(identity)", bearer: session.accessToken)
        }
    }
}
