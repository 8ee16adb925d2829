import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// `kill -9` of the gateway at each write of a request with a new identity.
@Suite("A gateway killed at a first sign-in")
struct LinkKillTests {
    /// The way of an identity to its account.
    enum Way: String, Sendable, CaseIterable {
        case newAccount = "sign_in_new_account"
        case sameAddress = "sign_in_linking"
        case ownSession = "link_identity"
    }

    /// The killed part.
    enum Victim: Sendable, CaseIterable {
        /// The gateway alone: its statement has arrived completely and is executed.
        case gateway
        /// The machine of both.
        case machine
    }

    private struct Person: Sendable {
        let email = Fresh.email()
        let subject = Fresh.subject("google")
        var session: SignedInAnswer?

        var members: JSONObject { ["subject": .string(subject), "email": .string(email)] }
    }

    @Test(
        "A-07: after a kill at any write of a first sign-in, all of its changes exist or none",
        arguments: [Way.sameAddress])
    func killed(way: Way) async throws {
        try await withDeployment { deployment in
            let statement = "current_query() like '%\(way.rawValue)(%'"
            try await Standstill.with(deployment.database, where: statement) { standstill in
                var written: [Set<String>] = []
                var left: [(person: Person, victim: Victim)] = []
                var write = 0
                var isOver = false
                while !isOver {
                    write += 1
                    for victim in Victim.allCases where !isOver {
                        let gateway = try await deployment.start()
                        for (person, victim) in left { try await expectGoesOn(person, victim, at: gateway) }
                        left = []
                        let person = try await prepare(way, gateway)
                        let before = try await rows(person, deployment)
                        try await standstill.hold(at: write)
                        let found = try await ask(way, person, gateway, standstill)
                        if let found, victim == .machine { try await standstill.terminate(found) }
                        try await standstill.letGo(found)
                        isOver = found == nil
                        if isOver { await gateway.expectGoodEnd() }
                        let changed = try await rows(person, deployment).changed(since: before)
                        if found == nil || victim == .gateway {
                            written.append(changed)
                        } else {
                            #expect(changed == [], "killed at \(found?.place ?? "")")
                        }
                        left.append((person, victim))
                    }
                }
                let whole = try #require(written.last)
                #expect(whole.isSuperset(of: ["identities", "audit_events"]))
                for tables in written { #expect(tables == whole) }
            }
        }
    }

    /// Sends the request; at a standstill the gateway is killed, and the answer is otherwise nil.
    private func ask(
        _ way: Way, _ person: Person, _ gateway: GatewayProcess, _ standstill: Standstill
    ) async throws -> Standstill.Found? {
        let minted = try await gateway.simulator.mint("google", person.members)
        return try await withThrowingTaskGroup(of: Standstill.Found?.self) { group in
            group.addTask {
                if way == .ownSession, let session = person.session {
                    _ = try? await gateway.link(minted, bearer: session.accessToken)
                } else {
                    _ = try? await gateway.signIn(minted)
                }
                return nil
            }
            group.addTask { try await poll(within: .seconds(180)) { try await standstill.found() } }
            let found = try await group.next() ?? nil
            if found != nil { await gateway.kill9() }
            group.cancelAll()
            return found
        }
    }

    private func prepare(_ way: Way, _ gateway: GatewayProcess) async throws -> Person {
        var person = Person()
        guard way != .newAccount else { return person }
        person.session = try await gateway.signUp(person.email)
        // The outcome of a mail is recorded when it is sent.
        _ = try await poll(within: .seconds(60)) {
            try await gateway.count("select count(*) from outbox where state = 'waiting'") == 0 ? true : nil
        }
        return person
    }

    /// All rows about a user.
    private func rows(_ person: Person, _ deployment: Deployment) async throws -> EveryRow {
        let (subject, words) = (person.subject, [person.subject, person.email])
        let owners = try await deployment.database.pool.withConnection { connection in
            try connection.query("select account_id::text from identities where subject = \(subject)").map {
                try $0.value(0, as: String.self)
            }
        }
        return try await EveryRow(
            of: deployment.database, mentioning: words + owners + [person.session?.account].compactMap { $0 })
    }

    /// The next sign-in leads to the one account, as a known user if everything had happened.
    private func expectGoesOn(_ person: Person, _ victim: Victim, at gateway: GatewayProcess) async throws {
        let next = try await gateway.session("google", person.members)
        #expect(next.isNewAccount == (victim == .machine && person.session == nil))
        if let session = person.session { #expect(next.account == session.account) }
        let subject = person.subject
        #expect(try await gateway.count("select count(*) from identities where subject = \(subject)") == 1)
    }
}

/// The same for every way.
@Suite("A gateway killed at a first sign-in, on any way")
struct LinkKillLongTests {
    @Test(
        "after a kill at any write of any way, all of its changes exist or none", arguments: LinkKillTests.Way.allCases)
    func killed(way: LinkKillTests.Way) async throws {
        try await LinkKillTests().killed(way: way)
    }
}
