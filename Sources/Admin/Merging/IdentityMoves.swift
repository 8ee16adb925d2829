package import Foundation
import Postgres

/// Linking, unlinking and moving identities by an operator's hand.
package struct IdentityMoves: Sendable {
    private let desk: AdminDesk
    /// The ways in that can be used today: no account is left without one.
    private let waysIn: [String]

    package init(desk: AdminDesk, waysIn: [String]) {
        (self.desk, self.waysIn) = (desk, waysIn)
    }

    /// Who somebody is at a provider, as an operator types it.
    package struct Subject: Sendable, Equatable {
        let provider: String
        let realm: String
        let subject: String

        package init(provider: String, realm: String, subject: String) {
            (self.provider, self.realm, self.subject) = (provider, realm, subject)
        }
    }

    /// Links an identity that nobody has; answers the change, by which it can be undone.
    package func link(_ subject: Subject, to account: UUID, because reason: Reason, by actor: AdminActor) async throws
        -> UUID
    {
        guard waysIn.contains(subject.provider), (1...255).contains(subject.subject.utf8.count) else {
            throw AdminRefusal.invalidMember(pointer: "/provider", reason: "not_configured")
        }
        let (change, identity) = (desk.newID(), desk.newID())
        try await desk.change(.linkIdentity, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select operator_link(\(change), \(account), \(identity), \(subject.provider), \(subject.realm), \(subject.subject),
                                     \(actor.account), \(actor.address), \(actor.requestID))
                """)
            _ = try row.answer(as: IdentityLinking.self)
        }
        return change
    }

    /// Unlinks; what opened the account otherwise still does.
    package func unlink(_ identity: UUID, from account: UUID, because reason: Reason, by actor: AdminActor) async throws
        -> UUID
    {
        let (change, waysIn) = (desk.newID(), waysIn)
        try await desk.change(.unlinkIdentity, actor, of: [account], because: reason) { connection in
            let row = try connection.row(
                """
                select operator_unlink(\(change), \(account), \(identity), \(waysIn), \(actor.account), \(actor.address), \(actor.requestID))
                """)
            _ = try row.answer(as: IdentityUnlinking.self)
        }
        return change
    }

    /// Gives an identity to another account.
    package func move(
        _ identity: UUID, from source: UUID, to target: UUID, because reason: Reason, by actor: AdminActor
    ) async throws -> UUID {
        let (change, waysIn) = (desk.newID(), waysIn)
        try await desk.change(.moveIdentity, actor, of: [source, target], because: reason) { connection in
            let row = try connection.row(
                """
                select move_identity(\(change), \(identity), \(source), \(target), \(waysIn), \(actor.account), \(actor.address),
                                     \(actor.requestID))
                """)
            _ = try row.answer(as: IdentityMoving.self)
        }
        return change
    }
}

/// What linking an identity by an operator's hand came to (`operator_link`).
enum IdentityLinking: String, OutcomeWord {
    static let functions = ["operator_link"]

    case linked
}

/// What unlinking one came to (`operator_unlink`).
enum IdentityUnlinking: String, OutcomeWord {
    static let functions = ["operator_unlink"]

    case unlinked
}

/// What giving one to another account came to (`move_identity`).
enum IdentityMoving: String, OutcomeWord {
    static let functions = ["move_identity"]

    case moved
}
