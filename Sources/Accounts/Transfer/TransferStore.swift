package import Foundation
package import Postgres

/// Identities on their way to another team (`provider_life_cycle/import_transferred_identity.sql`).
package struct TransferStore: Sendable {
    package struct Person: Sendable, Equatable {
        package let identity: UUID
        let subject: String
        /// What is known already, from a run before.
        let transferSubject: String?
    }

    /// What became of a line (`import_transferred_identity`).
    package enum Outcome: String, OutcomeWord {
        package static let functions = ["import_transferred_identity"]

        case moved
        /// In a run before, or by a sign-in.
        case done
        /// There is no such identity any more.
        case gone
        /// Who this would become is somebody else here, or the line is not this identity's.
        case conflict
    }

    private let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// How many identities a team has.
    package func count(_ provider: String, of realm: String) async throws -> Int {
        try await pool.withConnection { connection in
            try connection.queryOne(
                "select count(*) from identities where provider = \(provider) and realm = \(realm)"
            ).map { try $0.value(0) } ?? 0
        }
    }

    /// The next identities of a team, in the order of their ids.
    func people(
        _ provider: String, of realm: String, goingTo target: String, after last: UUID?, atMost limit: Int
    ) async throws -> [Person] {
        try await pool.withConnection { connection in
            try connection.query(
                """
                select id, subject, case when transfer_realm = \(target) then transfer_subject end from identities
                 where provider = \(provider) and realm = \(realm) and (\(last)::uuid is null or id > \(last)::uuid)
                 order by id limit \(Int32(limit))
                """
            ).map { Person(identity: try $0.value(0), subject: try $0.value(1), transferSubject: try $0.value(2)) }
        }
    }

    /// Keeps what the provider said, so that a sign-in after the move finds the person.
    func keep(_ transferSubject: String, for person: Person, goingTo target: String) async throws {
        _ = try await pool.withConnection { connection in
            try connection.execute(
                """
                update identities set transfer_subject = \(transferSubject), transfer_realm = \(target)
                 where id = \(person.identity) and subject = \(person.subject)
                """)
        }
    }

    /// What would become of a line; nil: it is to be moved.
    func outcome(of identity: UUID, _ provider: String, in realm: String) async throws -> Outcome? {
        let now: String? = try await pool.withConnection { connection in
            try connection.queryOne("select realm from identities where id = \(identity) and provider = \(provider)")
                .map { try $0.value(0) }
        }
        guard let now else { return .gone }
        return now == realm ? .done : nil
    }

    func move(
        _ identity: UUID, _ provider: String, _ transferSubject: String, to realm: String, as subject: String,
        relayAddress: String?, requestID: String
    ) async throws -> Outcome {
        try await pool.withConnection { connection in
            try connection.row(
                """
                select import_transferred_identity(
                    \(identity), \(provider), \(transferSubject), \(realm), \(subject), \(relayAddress), \(requestID))
                """
            ).value(0)
        }
    }
}
