import Foundation
package import JSON
package import OperatorAccess
import Postgres

extension ClientDesk {
    /// The effect of a declaration on one client.
    package struct Applied: Sendable, Equatable {
        package let id: String
        /// Nil for a new client.
        package let before: JSON?
        package let after: JSON
        /// The new secret of a confidential client that had none; it is shown once.
        package let secret: String?

        package init(id: String, before: JSON?, after: JSON, secret: String?) {
            (self.id, self.before, self.after, self.secret) = (id, before, after, secret)
        }
    }

    /// The effects of a file with declarations.
    package struct Application: Sendable, Equatable {
        package let applied: [Applied]
        /// Enabled clients that the file does not declare, and that stay unchanged.
        package let undeclared: [String]
    }

    /// A refused declaration, with the id of its client.
    ///
    /// Nothing has changed.
    package struct RefusedDeclaration: Error, Sendable {
        package let id: String
        package let refusal: AdminRefusal
    }

    /// Carries the effect of a dry run out of its transaction, which it rolls back.
    struct DryRun<Effect: Sendable>: Error {
        let effect: Effect
    }

    /// Gives every declared client exactly its declared settings, in one transaction.
    ///
    /// Agents are never undeclared: no file lists them.
    ///
    /// - Parameters:
    ///   - disablesOthers: whether clients that the file does not declare are disabled.
    ///   - kept: a client that is never disabled for its absence: the console's.
    ///   - isDryRun: performs every check and returns the effects, but changes nothing.
    /// - Throws: ``RefusedDeclaration``.
    package func apply(
        _ declarations: [ClientDeclaration], disablesOthers: Bool, keeping kept: String, isDryRun: Bool,
        because reason: Reason, by actor: AdminActor
    ) async throws -> Application {
        let documents = try await documents(of: declarations, by: actor)
        do {
            return try await desk.change(.trustClient, actor, of: [], because: reason) { connection in
                var applied: [Applied] = []
                for (index, declaration) in declarations.enumerated() {
                    applied.append(
                        try placed(index, declaration.id) {
                            try settle(declaration, documents[declaration.id], actor, connection)
                        })
                }
                var others = try Self.enabled(connection).filter { id in !declarations.contains { $0.id == id } }
                if disablesOthers {
                    for id in others where id != kept { applied.append(try disable(id, actor, connection)) }
                    others.removeAll { $0 != kept }
                }
                for (index, declared) in applied.prefix(declarations.count).enumerated() {
                    try placed(index, declared.id) { try Self.checkWriters(of: declared.after, connection) }
                }
                let application = Application(applied: applied, undeclared: others)
                if isDryRun { throw DryRun(effect: application) }
                return application
            }
        } catch let run as DryRun<Application> {
            return run.effect
        }
    }

    /// The documents of sectors by the ids of their clients.
    private func documents(
        of declarations: [ClientDeclaration], by actor: AdminActor
    ) async throws -> [String: SectorDocument] {
        var documents: [String: SectorDocument] = [:]
        for (index, declaration) in declarations.enumerated() {
            let id = declaration.id
            do {
                documents[id] = try await sectorDocument(of: declaration.change, to: nil, .trustClient, by: actor)
            } catch let refusal as AdminRefusal {
                throw RefusedDeclaration(id: id, refusal: ClientDeclaration.placed(refusal, index))
            }
        }
        return documents
    }

    private func placed<Value>(_ index: Int, _ id: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as AdminRefusal {
            throw RefusedDeclaration(id: id, refusal: ClientDeclaration.placed(refusal, index))
        }
    }

    private func settle(
        _ declaration: ClientDeclaration, _ document: SectorDocument?, _ actor: AdminActor, _ connection: Connection
    ) throws -> Applied {
        let id = declaration.id
        guard let before = try Self.stored(id, connection) else {
            let made = try add(
                id, declaration.change, isConfidential: declaration.isConfidential, in: document, by: actor,
                connection)
            return Applied(id: id, before: nil, after: made.client, secret: made.secret)
        }
        let secret = declaration.isConfidential && before["has_secret"] != true ? Self.newSecret() : nil
        if let secret { try store(secret, of: id, kept: declaration.change.keptSecret, by: actor, connection) }
        try check(declaration.change, held: before.object ?? [:])
        try declaration.change.checkSector(held: before.object ?? [:], in: document)
        try Self.apply(declaration.change, to: id, by: actor, connection)
        let after = try Self.load(id, connection)
        if after != before {
            try Self.audit("client_changed", id, before: before, after: after, actor, connection)
        }
        return Applied(id: id, before: before, after: after, secret: secret)
    }

    private func disable(_ id: String, _ actor: AdminActor, _ connection: Connection) throws -> Applied {
        let before = try Self.load(id, connection)
        try Self.apply(ClientChange(["disabled": true]), to: id, by: actor, connection)
        let after = try Self.load(id, connection)
        try Self.audit("client_changed", id, before: before, after: after, actor, connection)
        return Applied(id: id, before: before, after: after, secret: nil)
    }

    private static func enabled(_ connection: Connection) throws -> [String] {
        try connection.query("select id from clients where disabled_at is null and origin = 'operator' order by id").map
        { try $0.value(0) }
    }
}
