package import Foundation
package import OperatorAccess
import Postgres

/// Linking, unlinking and moving identities by an operator.
package struct IdentityMoves: Sendable {
    private let desk: AdminDesk
    /// The usable providers: no account may lose its last sign-in method.
    private let signInMethods: [String]

    package init(desk: AdminDesk, signInMethods: [String]) {
        (self.desk, self.signInMethods) = (desk, signInMethods)
    }

    /// An identity at a provider, as an operator enters it.
    package struct Subject: Sendable, Equatable {
        let provider: String
        let realm: String
        let subject: String

        package init(provider: String, realm: String, subject: String) {
            (self.provider, self.realm, self.subject) = (provider, realm, subject)
        }
    }

    /// Links an unknown identity; returns the change, for undo.
    package func link(_ subject: Subject, to account: UUID, because reason: Reason, by actor: AdminActor) async throws
        -> UUID
    {
        guard signInMethods.contains(subject.provider), (1...255).contains(subject.subject.utf8.count) else {
            throw AdminRefusal.invalidMember(pointer: "/provider", reason: "not_configured", accepted: signInMethods)
        }
        let (change, identity) = (desk.newID(), desk.newID())
        try await desk.change(.linkIdentity, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select operator_link(\(change), \(account), \(identity), \(subject.provider), \(subject.realm), \(subject.subject),
                                     \(actor.mark), \(actor.id), \(actor.address), \(actor.requestID))
                """)
            _ = try row.operatorAnswer(as: IdentityLinking.self)
        }
        return change
    }

    /// Unlinks an identity; the account must keep a sign-in method.
    package func unlink(_ identity: UUID, from account: UUID, because reason: Reason, by actor: AdminActor) async throws
        -> UUID
    {
        let (change, signInMethods) = (desk.newID(), signInMethods)
        try await desk.change(.unlinkIdentity, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select operator_unlink(\(change), \(account), \(identity), \(signInMethods), \(actor.id), \(actor.address), \(actor.requestID))
                """)
            _ = try row.operatorAnswer(as: IdentityUnlinking.self)
        }
        return change
    }

    /// Unlinks the identity with this subject; returns its former account.
    ///
    /// - Throws: `notFound` for an unknown one.
    package func unlink(_ subject: Subject, because reason: Reason, by actor: AdminActor) async throws -> UUID {
        let found = try await desk.look(.unlinkIdentity, actor) { connection in
            try connection.queryOne(
                """
                select id, account_id from identities
                 where provider = \(subject.provider) and realm = \(subject.realm) and subject = \(subject.subject)
                """
            ).map { (identity: try $0.value(0, as: UUID.self), account: try $0.value(1, as: UUID.self)) }
        }
        guard let found else { throw AdminRefusal.notFound }
        _ = try await unlink(found.identity, from: found.account, because: reason, by: actor)
        return found.account
    }

    /// Moves an identity to another account.
    package func move(
        _ identity: UUID, from source: UUID, to target: UUID, because reason: Reason, by actor: AdminActor
    ) async throws -> UUID {
        let (change, signInMethods) = (desk.newID(), signInMethods)
        try await desk.change(.moveIdentity, actor, of: [source, target], because: reason) { connection in
            let row = try connection.row(
                """
                select move_identity(\(change), \(identity), \(source), \(target), \(signInMethods), \(actor.id), \(actor.address),
                                     \(actor.requestID))
                """)
            _ = try row.operatorAnswer(as: IdentityMoving.self)
        }
        return change
    }
}

/// The outcomes of linking an identity by an operator (`operator_link`).
enum IdentityLinking: String, OutcomeWord {
    static let functions = ["operator_link"]

    case linked
}

/// The outcomes of unlinking one (`operator_unlink`).
enum IdentityUnlinking: String, OutcomeWord {
    static let functions = ["operator_unlink"]

    case unlinked
}

/// The outcomes of moving one to another account (`move_identity`).
enum IdentityMoving: String, OutcomeWord {
    static let functions = ["move_identity"]

    case moved
}
