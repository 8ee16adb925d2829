package import JSON
package import OperatorAccess
import Postgres

/// The documents of sectors, which are read before the transaction of a change.
extension ClientDesk {
    /// Reads the document of the changed client's sector; nil where it has none.
    ///
    /// - Parameter id: nil for a new client, and for a change of all settings.
    func sectorDocument(
        of change: ClientChange, to id: String?, _ action: AdminAction, by actor: AdminActor
    ) async throws -> SectorDocument? {
        guard change.decidesSector else { return nil }
        var held: JSONObject = [:]
        if change.json["openid"] == nil, let id { held["openid"] = try await openID(of: id) }
        guard let address = change.sectorDocument(held: held) else { return nil }
        // Only for an operator who may make the change.
        try await desk.check(action, actor, of: [])
        return try await document(at: address)
    }

    /// Validates the sector of a changed client, as ``create`` and ``change`` do.
    ///
    /// - Parameter held: the current client; empty for a new one.
    package func checkSector(of change: ClientChange, held: JSONObject) async throws(AdminRefusal) {
        let address = change.sectorDocument(held: held)
        var found: SectorDocument?
        if let address { found = try await document(at: address) }
        try change.checkSector(held: held, in: found)
    }

    private func document(at address: String) async throws(AdminRefusal) -> SectorDocument {
        do throws(SectorFault) {
            guard let sectors else { throw .unreachable }
            return try await sectors.document(at: address)
        } catch {
            throw error.refusal
        }
    }

    private func openID(of id: String) async throws -> JSON? {
        try await desk.pool.withConnection { connection in
            try connection.queryOne("select openid::text from clients where id = \(id)").map {
                try JSON(parsing: $0.value(0, as: String.self))
            }
        }
    }
}
