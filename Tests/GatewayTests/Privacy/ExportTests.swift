import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// `GET /v1/account/export`: all data about a user.
@Suite("Exporting an account", .gateway(StepServer.configuration))
struct ExportTests {
    @Test("it contains the user's data, and no secret of the database")
    func everything() async throws {
        let gateway = try GatewayProcess.current
        var person = try await gateway.protectedPerson()
        let session = try await gateway.signIn(person, remember: true)
        try await gateway.add(&person, "email", at: Fresh.email(), bearer: session.accessToken)
        try await gateway.prove(GatewayProcess.freshPhone(), of: person.account)
        let subject = Fresh.subject("google")
        let google = try await gateway.simulator.mint("google", ["subject": .string(subject)])
        let linked = try await gateway.post(
            "/v1/account/identities", ["provider": "google", "credential": .object(google.credential())],
            bearer: session.accessToken)
        try #require(linked.status == 201, "\(linked.text)")
        _ = try await gateway.refreshed(session.refreshToken)

        let answer = try await gateway.get("/v1/account/export", bearer: session.accessToken)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(
            answer.header("Content-Disposition") == "attachment; filename=\"account-\(person.account).json\"")
        #expect(answer.header("Cache-Control") == "no-store")
        let export = answer.json
        #expect(export["account"]?["id"] == .string(person.account))
        #expect(export["emails"]?.array?.first?["address"] == .string(person.email))
        #expect(export["phones"]?.array?.count == 1)
        #expect(export["identities"]?.array?.first?["subject"] == .string(subject))
        #expect(Set((export["factors"]?.array ?? []).compactMap { $0["type"]?.string }) == ["totp", "email"])
        #expect(export["recovery_codes"]?["left"] == 10)
        #expect(export["remembered_devices"]?.array?.count == 1)
        #expect(export["known_devices"]?.array?.first?["expires_at"]?.string != nil)
        let sessions = (export["sessions"]?.array ?? []).compactMap { $0["id"]?.string }
        #expect(sessions.contains(session.session) && sessions.contains(person.session.session))
        #expect(export["password"]?["set_at"]?.string != nil)
        #expect((export["messages"]?.array ?? []).contains { $0["type"] == "code.sign_up" } == false)
        let audited = try await gateway.count(
            "select count(*) from audit_events where account_id = \(person.account)::uuid")
        #expect(export["events"]?.array?.count == audited)
        #expect(export["events"]?.array?.last?["action"] == "account_exported")
        try await expectNoSecret(in: answer.text, of: person, session)
        _ = try await poll { gateway.mails(to: person.email).first { $0.subject.contains("was downloaded") } }
    }

    /// Searches for every value of the columns with secrets, in all possible forms.
    private func expectNoSecret(in text: String, of person: ProtectedPerson, _ session: SignedInAnswer) async throws {
        let gateway = try GatewayProcess.current
        let hidden = try await gateway.sql { connection in
            try connection.query(
                """
                select v from (
                  select hash as v from passwords union all
                  select encode(c.bytes, f) from (
                    select refresh_digest as bytes from sessions
                    union all select sealed from factors union all select digest from recovery_codes
                    union all select digest from remembered_devices
                    union all select digest from known_devices union all select sealed from provider_tokens
                    union all select sealed from outbox union all select code_digest from flows
                    union all select sealed from signing_keys
                  ) c, unnest(array['hex', 'base64']) f) s where v is not null
                """
            ).map { try $0.value(0, as: String.self) }
        }
        #expect(hidden.count > 10)
        for value in hidden + [session.accessToken, session.refreshToken, GatewayProcess.password]
            + person.recoveryCodes
        {
            #expect(!text.contains(value))
        }
        for word in ["digest", "sealed", "hash", "secret", "refresh_token"] {
            #expect(!text.contains("\"\(word)"), "\(word)")
        }
    }

    @Test("it contains no rows of other accounts")
    func apart() async throws {
        let gateway = try GatewayProcess.current
        let (ann, ben) = (try await gateway.signUp(Fresh.email()), try await gateway.signUp(Fresh.email()))
        let export = try await gateway.get("/v1/account/export", bearer: ann.accessToken)
        #expect(export.status == 200)
        for word in [ben.account, ben.session, try #require(ben.email)] { #expect(!export.text.contains(word)) }
    }

    @Test("the sixth within an hour has to wait")
    func throttled() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        for _ in 0..<5 {
            #expect(try await gateway.get("/v1/account/export", bearer: person.accessToken).status == 200)
        }
        #expect(try await gateway.get("/v1/account/export", bearer: person.accessToken).code == "throttled")
    }

    @Test("A-13: during an erasure it contains the whole account, or is refused")
    func whileErased() async throws {
        let gateway = try GatewayProcess.current
        for _ in 0..<4 {
            let person = try await gateway.signUp(Fresh.email())
            async let erased = gateway.count(
                "select count(erase_account(\(person.account)::uuid, null, 'a test', 'test'))")
            let answer = try await gateway.get("/v1/account/export", bearer: person.accessToken)
            #expect(try await erased == 1)
            guard answer.status == 200 else {
                #expect(answer.code == "session_ended", "\(answer.text)")
                continue
            }
            #expect(answer.json["account"]?["id"] == .string(person.account))
            #expect(answer.json["emails"]?.array?.count == 1)
            #expect(answer.json["password"]?["set_at"]?.string != nil)
            #expect(answer.json["sessions"]?.array?.count == 1)
        }
    }

    @Test("the command line writes the same to a new private file, and overwrites none")
    func command() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.signUp(Fresh.email())
        let path = "\(gateway.deployment.folder)/export-\(Fresh.text()).json"
        let command = ["accounts", "export", person.account, "--output", path]
        let written = try await gateway.deployment.run(command)
        #expect(written.exitCode == 0, "\(written.errors)")
        let export = try JSON(parsing: try String(contentsOfFile: path, encoding: .utf8), limits: .provider)
        #expect(export["account"]?["id"] == .string(person.account))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try await gateway.deployment.run(command).exitCode == 1)
        let printed = try await gateway.deployment.run("accounts", "export", person.account)
        #expect(printed.output.contains(person.session))
    }
}

/// A separate server, because other requests would need memory too.
@Suite("Exporting a long history", .gateway())
struct LongExportTests {
    @Test("a history of 100,000 rows costs no memory to speak of", .enabled(if: ChildMemory.isTelling))
    func long() async throws {
        let gateway = try GatewayProcess.current
        let person = try await gateway.anyone()
        let count = 100_000
        try await gateway.change(
            """
            insert into audit_inbox (action, outcome, account_id, address, request_id, client_id)
            select 'sign_in_refused', 'refused', \(person.account)::uuid, '192.0.2.1', 'row ' || n, 'app'
              from generate_series(1, \(Int32(count))) n
            """)
        // Sealing needs memory.
        try await poll(within: .seconds(600)) {
            try await gateway.sql { connection in
                try connection.queryOne("select count(*) from audit_sealed")?.value(0, as: Int.self) ?? 0
            } >= count ? () : nil
        }
        #expect(try await gateway.get("/v1/account/export", bearer: person.accessToken).status == 200)
        let before = try gateway.child.memory(.resident)
        let answer = try await gateway.get("/v1/account/export", bearer: person.accessToken)
        #expect(answer.text.hasSuffix("]}\n"))
        #expect(answer.text.split(separator: "\n").count { $0.contains("\"row ") } == count)
        // A complete copy in memory would be visible.
        #expect(answer.body.count > 20 * 1_048_576)
        #expect(try gateway.child.memory(.resident) - before < 16 * 1_024)
    }
}
