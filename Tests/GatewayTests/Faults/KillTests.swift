import JSON
import Postgres
import Synchronization
import TestSupport
import Testing

/// `kill -9` of the gateway at any moment.
@Suite("A killed gateway")
struct KillTests {
    /// A user with their newest acknowledged refresh token.
    private struct Person: Sendable {
        enum SignOut: Sendable {
            case no, asked, acknowledged
        }

        let session: String
        var token: String
        var signOut = SignOut.no
    }

    /// All users in their last acknowledged state.
    private final class People: Sendable {
        private let known = Mutex<[String: Person]>([:])

        var all: [Person] { known.withLock { Array($0.values) } }

        func note(_ person: Person) { known.withLock { $0[person.session] = person } }
    }

    @Test(
        "A-07: a kill under load loses no acknowledged change and leaves no partial one", arguments: [20, 45])
    func killed(after count: Int) async throws {
        try await withDeployment { deployment in
            let people = People()
            try await deployment.serving { gateway in
                let load = Task { try await inParallel(8) { _ in await Self.work(gateway, people) } }
                _ = try await poll(within: .seconds(60)) { people.all.count >= count ? () : nil }
                await gateway.kill9()
                _ = try await load.value
            }
            let survivors = people.all
            #expect(survivors.contains { $0.signOut == .no })
            try await deployment.serving { next in
                // A lost rotation may be retried for ten seconds; the down time does not count.
                try await next.change("update sessions set rotated_at = now()")
                for person in survivors { try await expectKept(person, at: next) }
            }
        }
    }

    private func expectKept(_ person: Person, at gateway: GatewayProcess) async throws {
        let answer = try await gateway.refresh(person.token)
        switch person.signOut {
        case .no:
            let pair = try TokenPair(answer)
            #expect(pair.session == person.session)
            #expect(try await gateway.checkSession(pair.accessToken).status == 200)
        case .asked: #expect(answer.status == 200 || answer.code == "session_ended")
        case .acknowledged: #expect(answer.code == "session_ended")
        }
    }

    /// Signs in, refreshes twice, signs out every second time, until there is no answer.
    private static func work(_ gateway: GatewayProcess, _ people: People) async {
        for number in 0... {
            guard let minted = try? await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))]),
                let answer = await acknowledged({ try await gateway.signIn(minted) }),
                let session = answer["id"]?.string, let first = answer["refresh_token"]?.string
            else { return }
            var person = Person(session: session, token: first)
            people.note(person)
            for _ in 0..<2 {
                let token = person.token
                guard let next = await acknowledged({ try await gateway.refresh(token) })?["refresh_token"]?.string
                else { return }
                person.token = next
                people.note(person)
            }
            guard number.isMultiple(of: 2), let access = answer["access_token"]?.string else { continue }
            person.signOut = .asked
            people.note(person)
            guard (try? await gateway.signOut(access))?.status == 204 else { return }
            person.signOut = .acknowledged
            people.note(person)
        }
    }

    /// The session of a complete answer; nil after the gateway has ended.
    private static func acknowledged(_ ask: () async throws -> TestAnswer) async -> JSON? {
        guard let answer = try? await ask() else { return nil }
        #expect(answer.status == 200, "\(answer.text)")
        return answer.json["session"]
    }
}
