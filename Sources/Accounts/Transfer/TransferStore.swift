package import Foundation
package import Postgres

/// Identities in transfer to another team (`provider_life_cycle/import_transferred_identity.sql`).
package struct TransferStore: Sendable {
    package struct Person: Sendable, Equatable {
        package let identity: UUID
        let subject: String
        /// The transfer subject from an earlier run.
        let transferSubject: String?
    }

    /// The outcomes of a line (`import_transferred_identity`).
    package enum Outcome: String, OutcomeWord {
        package static let functions = ["import_transferred_identity"]

        case moved
        /// In an earlier run, or by a sign-in.
        case done
        /// The identity no longer exists.
        case gone
        /// The new subject belongs to another identity, or the line doesn't match this identity.
        case conflict
    }

    private let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// The number of identities of a team.
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
        try await pool.query(
            """
            select id, subject, case when transfer_realm = \(target) then transfer_subject end from identities
             where provider = \(provider) and realm = \(realm) and (\(last)::uuid is null or id > \(last)::uuid)
             order by id limit \(Int32(limit))
            """
        ) { Person(identity: try $0.value(0), subject: try $0.value(1), transferSubject: try $0.value(2)) }
    }

    /// Stores the provider's answer, so that a sign-in after the move finds the identity.
    func keep(_ transferSubject: String, for person: Person, goingTo target: String) async throws {
        try await pool.execute(
            """
            update identities set transfer_subject = \(transferSubject), transfer_realm = \(target)
             where id = \(person.identity) and subject = \(person.subject)
            """)
    }

    /// The outcome of a line in a dry run; nil: it would be moved.
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
