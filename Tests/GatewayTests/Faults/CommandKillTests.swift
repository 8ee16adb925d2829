import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// `kill -9` of an operator's command at each of its writes.
@Suite("A killed command")
struct CommandKillTests {
    /// The change of a pair of accounts.
    enum Command: String, Sendable, CaseIterable {
        case merge, undo, split, move, link, unlink, delete
    }

    /// Two accounts, and the arguments of the command that changes them.
    private struct Pair: Sendable {
        let kept: String
        let absorbed: String
        let identity: String
        var change = ""

        func arguments(_ command: Command) -> [String] {
            let words =
                switch command {
                case .merge: ["merge", kept, absorbed]
                case .undo: ["undo", change]
                case .split: ["split", absorbed, "--identity", identity]
                case .move: ["move", absorbed, identity, kept]
                case .link:
                    ["link", kept, "--provider", "acme", "--realm", "https://id.acme.example", "--subject", absorbed]
                case .unlink: ["unlink", absorbed, identity]
                case .delete: ["delete", absorbed, "--now"]
                }
            let consent = [.undo, .link].contains(command) ? [] : ["--yes"]
            return ["accounts"] + words + consent + ["--reason", "a test"]
        }
    }

    @Test(
        "L-16, A-07: a kill at any write leaves no change and allows a retry; a kill at the commit leaves all changes",
        arguments: [Command.merge])
    func killed(command: Command) async throws {
        try await withDeployment { deployment in
            let pairs = try await Self.pairs(deployment, command)
            let words = "coalesce(current_setting('gateway.words', true), '') <> ''"
            try await Standstill.with(deployment.database, where: words) { standstill in
                let before = try await EveryRow(of: deployment.database)
                var places: [String] = []
                while let place = try await Self.kill(
                    pairs[0].arguments(command), at: places.count + 1, standstill, deployment)
                {
                    places.append(place)
                    let rows = try await EveryRow(of: deployment.database)
                    #expect(rows.changed(since: before) == [], "killed at \(place), write \(places.count)")
                }
                let after = try await EveryRow(of: deployment.database)
                let written = after.changed(since: before)
                #expect(written.contains("audit_events"))
                for table in written.map({ $0 == "audit_events" ? "audit_inbox" : $0 }) {
                    #expect(places.contains { $0.contains(" \(table)") }, "killed at \(places), not at \(table)")
                }

                let place = try await Self.kill(
                    pairs[1].arguments(command), at: Standstill.atCommit, standstill, deployment)
                #expect(place == "COMMIT")
                #expect(try await EveryRow(of: deployment.database).changed(since: after) == written)
            }
        }
    }

    /// Kills a command at its standstill and returns the place; nil if it ran to its end.
    private static func kill(
        _ arguments: [String], at write: Int, _ standstill: Standstill, _ deployment: Deployment
    ) async throws -> String? {
        try await standstill.hold(at: write)
        let command = try ChildProcess(
            "gateway", arguments, environment: deployment.environment, folder: deployment.folder)
        let found = try await poll(within: .seconds(180)) { () -> Standstill.Found?? in
            if let found = try await standstill.found() { return found }
            return command.exitCode == nil ? nil : .some(nil)
        }
        await command.kill9()
        try await standstill.letGo(found)
        if found == nil { #expect(command.exitCode == 0, "\(command.errors)") }
        return found?.place
    }

    /// Two pairs of accounts, made through a server that has ended since, so that nothing else writes.
    private static func pairs(_ deployment: Deployment, _ command: Command) async throws -> [Pair] {
        var pairs: [Pair] = []
        try await deployment.serving { gateway in
            for _ in 0..<2 { pairs.append(try await pair(gateway)) }
        }
        guard command == .undo else { return pairs }
        for index in pairs.indices {
            let merged = try await deployment.run(pairs[index].arguments(.merge))
            let change = try #require(merged.output.split(separator: " ").last, "\(merged.errors)")
            pairs[index].change = change.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return pairs
    }

    /// A user with one item of every kind, and another user.
    private static func pair(_ gateway: GatewayProcess) async throws -> Pair {
        let kept = try await gateway.anyone()
        let email = Fresh.email()
        let session = try await gateway.signUp(email)
        let minted = try await gateway.simulator.mint("google", ["subject": .string(Fresh.subject("google"))])
        let linked = try await gateway.link(minted, bearer: session.accessToken)
        let identity = try #require(linked.json["identity"]?["id"]?.string, "\(linked.text)")
        let person = ProtectedPerson(email: email, account: session.account, session: session)
        _ = try await gateway.addingTOTP(person, bearer: session.accessToken)
        try await gateway.prove(GatewayProcess.freshPhone(), of: session.account)
        let key = Array(session.account.utf8)
        try await gateway.change(
            """
            insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, backup_eligible, backed_up, attestation)
            values (gen_random_uuid(), \(session.account)::uuid, \(key), '\\x01', '\\x02', -7, 0, false, false, 'none')
            """)
        try await gateway.change(
            """
            insert into remembered_devices (id, account_id, digest, expires_at)
            values (gen_random_uuid(), \(session.account)::uuid, \(key), now() + interval '1 day')
            """)
        return Pair(kept: kept.account, absorbed: session.account, identity: identity)
    }
}

/// The same for every command.
@Suite("A killed command, whichever it is")
struct CommandKillLongTests {
    @Test("a kill at any write of any command leaves no change", arguments: CommandKillTests.Command.allCases)
    func killed(command: CommandKillTests.Command) async throws {
        try await CommandKillTests().killed(command: command)
    }
}
