import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// The transfer of an app with its users to another developer team.
@Suite("The move to another team")
struct TransferTests {
    private static let (old, new) = ("TEAM123456", "TEAM654321")

    private func export(_ deployment: Deployment, _ further: String...) async throws -> CommandResult {
        try await deployment.run(
            ["apple", "export-transfer", "--target", Self.new, "--output", file(deployment), "--per-second", "100"]
                + further)
    }

    private func bring(_ deployment: Deployment, _ further: String...) async throws -> CommandResult {
        try await deployment.run(
            ["apple", "import-transfer", "--yes", "--file", file(deployment), "--per-second", "100"] + further,
            changes: ["APPLE_TEAM_ID": Self.new])
    }

    private func file(_ deployment: Deployment) -> String { "\(deployment.folder)/transfer.jsonl" }

    private func lines(_ deployment: Deployment) throws -> [JSON] {
        try String(contentsOfFile: file(deployment), encoding: .utf8).split(separator: "\n")
            .map { try JSON(parsing: String($0)) }
    }

    /// Everything that a transfer may change.
    private func state(_ deployment: Deployment) async throws -> String {
        try await deployment.database.pool.withConnection { connection in
            try connection.queryOne(
                """
                select string_agg(concat_ws(' ', id, realm, subject, email, transfer_subject), ';' order by id) from identities
                """)?.value(0) ?? ""
        }
    }

    /// The simulator's subjects of users in the new team.
    private func subjects(_ deployment: Deployment, realm: String) async throws -> [String: String] {
        let rows = try await deployment.database.pool.withConnection { connection in
            try connection.query("select id::text, subject from identities where realm = \(realm)").map {
                (try $0.value(0, as: String.self), try $0.value(1, as: String.self))
            }
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    @Test("exported and imported users keep their accounts, under their new subject")
    func wholeWay() async throws {
        try await withDeployment { deployment in
            var people: [(session: SignedInAnswer, subject: String)] = []
            try await deployment.serving { gateway in
                people.append(try await gateway.applePerson(["email": "one@privaterelay.appleid.com"]))
                for _ in 0..<4 { people.append(try await gateway.applePerson()) }
            }
            let before = try await state(deployment)
            let rehearsal = try await export(deployment, "--dry-run")
            #expect(rehearsal.exitCode == 0)
            #expect(rehearsal.output == "5 identities of TEAM123456 would be exported\n")
            #expect(!FileManager.default.fileExists(atPath: file(deployment)))
            #expect(try await state(deployment) == before)

            let exported = try await export(deployment)
            #expect(exported.exitCode == 0, "\(exported.errors)")
            let written = try lines(deployment)
            #expect(Set(written.compactMap { $0["identity"]?.string }) == Set(people.map(\.session.identity)))
            let text = try String(contentsOfFile: file(deployment), encoding: .utf8)
            for person in people {
                #expect(![exported.output, exported.errors, text].contains { $0.contains(person.subject) })
            }
            let mode = try FileManager.default.attributesOfItem(atPath: file(deployment))[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let kept = try await state(deployment)
            let dry = try await bring(deployment, "--dry-run")
            #expect(dry.exitCode == 0, "\(dry.errors)")
            #expect(dry.output == "would be: 5 identities, 5 moved\n")
            #expect(try await state(deployment) == kept)

            let imported = try await bring(deployment)
            #expect(imported.exitCode == 0, "\(imported.errors)")
            #expect(imported.output == "5 identities, 5 moved\n")
            let again = try await bring(deployment)
            #expect(again.output == "5 identities, 5 done\n")
            let subjects = try await subjects(deployment, realm: Self.new)
            #expect(subjects.count == 5)
            try await deployment.serving(["APPLE_TEAM_ID": Self.new]) { gateway in
                for person in people {
                    let subject = try #require(subjects[person.session.identity])
                    #expect(subject != person.subject)
                    let session = try await gateway.session("apple", ["subject": .string(subject)])
                    #expect(session.account == person.session.account)
                    // The old team's tokens have no use any more, but no session ends.
                    #expect(try await gateway.works(person.session))
                    let row = try #require(
                        try await gateway.audit(account: session.account).first { $0.action == "identity_transferred" })
                    #expect(row.detail?["from"]?.string == Self.old)
                    #expect(row.detail?["to"]?.string == Self.new)
                    #expect(row.detail?["old_subject_sha256"]?.string?.utf8.count == 64)
                    #expect(row.detail?.text.contains(person.subject) == false)
                }
                #expect(
                    try await gateway.count(
                        "select count(*) from provider_tokens where stored_at < now() - interval '1 hour'") == 0)
                let relays = try await gateway.count(
                    "select count(*) from account_emails where is_relay and address = 'one@privaterelay.appleid.com'")
                #expect(relays == 0)
            }
        }
    }

    @Test("a killed export continues, and requests no identity twice")
    func killed() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            try await deployment.serving { gateway in
                _ = try await inParallel(0..<12) { _ in try await gateway.applePerson() }
            }
            let arguments = ["apple", "export-transfer", "--target", Self.new, "--output", file(deployment)]
            let child = try ChildProcess(
                "gateway", arguments + ["--per-second", "4"], environment: deployment.environment,
                folder: deployment.folder)
            _ = try await poll(within: .seconds(60)) {
                try await deployment.simulator.requests("apple", "migration") >= 3 ? () : nil
            }
            await child.kill9()
            // Simulates a kill in the middle of a line.
            let handle = try #require(FileHandle(forWritingAtPath: file(deployment)))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(#"{"identity":"01a1"#.utf8))
            try handle.close()

            let rest = try await export(deployment)
            #expect(rest.exitCode == 0, "\(rest.errors)")
            let identities = try lines(deployment).compactMap { $0["identity"]?.string }
            #expect(identities.count == 12)
            #expect(Set(identities).count == 12)
            // The request that was running at the kill may have been repeated.
            #expect(try await deployment.simulator.requests("apple", "migration") <= 13)
            let imported = try await bring(deployment)
            #expect(imported.output == "12 identities, 12 moved\n", "\(imported.errors)")
        }
    }

    @Test("if Apple is down, the command ends, and the next one continues")
    func down() async throws {
        try await withDeployment(ownsSimulator: true) { deployment in
            try await deployment.serving { gateway in _ = try await gateway.applePerson() }
            try await deployment.simulator.behave("apple", "error", endpoint: "migration", ["status": 400])
            let refused = try await export(deployment)
            #expect(refused.exitCode == 1)
            #expect(refused.errors.contains("refuses"))
            try await deployment.simulator.behave("apple", "normal", endpoint: "migration")
            #expect(try await export(deployment).exitCode == 0)
        }
    }

    @Test("a file with other content stays unchanged")
    func foreignFile() async throws {
        try await withDeployment { deployment in
            try await deployment.serving { gateway in _ = try await gateway.applePerson() }
            for content in ["precious\n", "precious", "{\"identity\":7}\n"] {
                try content.write(toFile: file(deployment), atomically: true, encoding: .utf8)
                let result = try await export(deployment)
                #expect(result.exitCode == 1)
                #expect(try String(contentsOfFile: file(deployment), encoding: .utf8) == content)
            }
        }
    }

    @Test("a subject of another account is reported, and nothing is lost")
    func conflict() async throws {
        try await withDeployment { deployment in
            var people: [(session: SignedInAnswer, subject: String)] = []
            try await deployment.serving { gateway in
                for _ in 0..<2 { people.append(try await gateway.applePerson()) }
            }
            #expect(try await export(deployment).exitCode == 0)
            #expect(try await bring(deployment).exitCode == 0)
            let subjects = try await subjects(deployment, realm: Self.new)
            let (one, two) = (people[0].session.identity, people[1].session.identity)
            let taken = try #require(subjects[one])
            // The first subject belongs to the old team again, and another account has its place in the new one.
            _ = try await deployment.database.pool.withConnection { connection in
                try connection.execute(
                    "update identities set realm = 'TEAM123456', subject = 'before' where id = \(one)::uuid")
                try connection.execute("update identities set subject = \(taken) where id = \(two)::uuid")
            }
            let before = try await state(deployment)
            let result = try await bring(deployment)
            #expect(result.exitCode == 65)
            #expect(result.errors.contains("conflict: identity \(one)"))
            #expect(try await state(deployment) == before)
        }
    }

    // MARK: At a sign-in

    /// The new team's gateway, while a transfer subject signs in its former owner.
    private static func arrival(until: String = "2999-12-31") -> [String: String?] {
        ["APPLE_TEAM_ID": new, "APPLE_TRANSFER_FROM_TEAM": old, "APPLE_TRANSFER_UNTIL": until]
    }

    /// An exported user of the old team.
    private func exported(_ deployment: Deployment) async throws -> (person: SignedInAnswer, transfer: String) {
        var person: SignedInAnswer?
        try await deployment.serving { person = try await $0.applePerson().session }
        #expect(try await export(deployment).exitCode == 0)
        return (try #require(person), try #require(try lines(deployment).first?["transfer_sub"]?.string))
    }

    @Test("a token with the transfer subject signs in its old account, once the operator allows it")
    func signIn() async throws {
        try await withDeployment { deployment in
            let (person, transfer) = try await exported(deployment)
            let claims: JSONObject = [
                "subject": "002999.new.1300", "claims": ["transfer_sub": .string(transfer)],
            ]
            try await deployment.serving(Self.arrival()) { gateway in
                let session = try await gateway.session("apple", claims)
                #expect(session.account == person.account)
                #expect(!session.isNewAccount)
                // From now on without it.
                let again = try await gateway.session("apple", ["subject": "002999.new.1300"])
                #expect(again.account == person.account)
                let rows = try await gateway.audit(account: person.account)
                #expect(rows.filter { $0.action == "identity_transferred" && $0.reason == "signed_in" }.count == 1)
                // A second user who claims the same former identity.
                let other = try await gateway.signIn(
                    "apple", ["subject": "002999.other.1300", "claims": ["transfer_sub": .string(transfer)]])
                #expect(other.status == 409)
                #expect(other.code == "account_conflict")
                try await gateway.logged("a transferred identity has another owner")
                #expect(try await gateway.count("select count(*) from accounts") == 1)
            }
        }
    }

    @Test("outside of the configured time, a transfer subject has no effect", arguments: ["never", "over"])
    func outside(when: String) async throws {
        try await withDeployment { deployment in
            let (person, transfer) = try await exported(deployment)
            let changes = when == "never" ? ["APPLE_TEAM_ID": Self.new] : Self.arrival(until: "2020-01-01")
            try await deployment.serving(changes) { gateway in
                let session = try await gateway.session(
                    "apple", ["subject": "002999.new.1300", "claims": ["transfer_sub": .string(transfer)]])
                #expect(session.account != person.account)
            }
        }
    }

    @Test("an address alone doesn't identify a transferred user")
    func address() async throws {
        try await withDeployment { deployment in
            let email = "same@privaterelay.appleid.com"
            var person: SignedInAnswer?
            try await deployment.serving { person = try await $0.applePerson(["email": .string(email)]).session }
            try await deployment.serving(Self.arrival()) { gateway in
                let session = try await gateway.session(
                    "apple",
                    ["subject": "002999.new.1300", "email": .string(email), "claims": ["transfer_sub": "unknown"]])
                #expect(session.account != person?.account)
            }
        }
    }
}
