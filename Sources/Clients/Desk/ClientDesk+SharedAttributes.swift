import JSON
import OperatorAccess
import Postgres

extension ClientDesk {
    /// Refuses a shared attribute that another app lets another side write.
    ///
    /// It comes after every change of the transaction, because a file may change all apps that share an attribute.
    ///
    /// - Throws: `invalidMember` with the position of the attribute.
    static func checkWriters(of client: JSON, _ connection: Connection) throws {
        guard client["attributes"]?.array?.contains(where: { $0["shared"] == true }) == true else { return }
        // Two changes at once would not see each other.
        try connection.execute("select pg_advisory_xact_lock(hashtextextended('shared attributes', 4))")
        let others = try connection.query(
            """
            select jsonb_build_object('attributes', attributes, 'dialects', dialects)::text from clients
             where id <> \(client["id"]?.string ?? "") and attributes @> '[{"shared": true}]'
            """
        ).map { try AdminDesk.document(try $0.value(0)) }
        guard let index = ClientAttribute.disputed(in: client, among: others) else { return }
        throw AdminRefusal.invalidMember(pointer: "/attributes/\(index)/writable_by", reason: "other_writer")
    }
}
