package import Foundation
package import JSON
package import Postgres
import Vocabulary

/// The display names of accounts, for lists with ids: one statement for all of them.
package enum AccountNames {
    /// - Parameter accounts: also the ids of access keys as actors; their names are the beginnings of the keys.
    /// - Returns: no entry for a deleted account or one without a name.
    package static func read(_ accounts: Set<UUID>, _ connection: Connection) throws -> [UUID: String] {
        guard !accounts.isEmpty else { return [:] }
        let rows = try connection.query(
            """
            select a.id, coalesce(a.display_name, a.user_name, e.address, p.phone_key)
              from accounts a
              left join account_emails e on e.account_id = a.id and e.is_main
              left join account_phones p on p.account_id = a.id and p.is_main
             where a.id = any (\(Array(accounts)))
            union all
            select actor_id, \(SecretPrefix.accessKey.rawValue) || id from access_keys where actor_id = any (\(Array(accounts)))
            """)
        var names: [UUID: String] = [:]
        for row in rows { names[try row.value(0)] = try row.value(1, as: String?.self) }
        return names
    }

    /// Adds `actor_name` to list members with an `actor_id`; null if unknown.
    package static func naming(_ list: [JSON], _ connection: Connection) throws -> [JSON] {
        let names = try read(Set(list.compactMap(actor)), connection)
        return list.map { item in
            guard var object = item.object else { return item }
            object["actor_name"] = actor(item).flatMap { names[$0] }.map { .string($0) } ?? .null
            return .object(object)
        }
    }

    private static func actor(_ item: JSON) -> UUID? { item["actor_id"]?.string.flatMap { UUID(uuidString: $0) } }
}
