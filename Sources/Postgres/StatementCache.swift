/// The prepared statements of one connection.
///
/// A new one replaces the least recently used.
struct StatementCache {
    struct Key: Hashable {
        let statement: [UInt8]
        let parameters: [SQL.Parameter]

        init(_ sql: SQL) {
            statement = sql.statement
            parameters = sql.parameters
        }

        func hash(into hasher: inout Hasher) {
            // Few statements share both lengths, and comparing two texts is cheaper than hashing every text.
            hasher.combine(statement.count)
            hasher.combine(parameters.count)
        }

        /// The text and the types of the parameters identify a statement; their values do not.
        static func == (left: Key, right: Key) -> Bool {
            left.parameters.count == right.parameters.count && left.statement == right.statement
                && zip(left.parameters, right.parameters).allSatisfy { $0.type == $1.type }
        }
    }

    final class Entry {
        let name: String
        let key: Key
        var lastUse: Int

        init(name: String, key: Key, lastUse: Int) {
            self.name = name
            self.key = key
            self.lastUse = lastUse
        }
    }

    let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses = 0
    private var namesGiven = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    mutating func find(_ sql: SQL) -> Entry? {
        guard let entry = entries[Key(sql)] else { return nil }
        uses += 1
        entry.lastUse = uses
        return entry
    }

    /// A new name on this connection, so that a forgotten statement cannot be mistaken for another one.
    mutating func newName() -> String {
        namesGiven += 1
        return "s\(namesGiven)"
    }

    /// Stores a prepared statement.
    ///
    /// - Returns: the replaced statement, which the caller deallocates on the server.
    mutating func insert(name: String, for sql: SQL) -> Entry? {
        uses += 1
        let entry = Entry(name: name, key: Key(sql), lastUse: uses)
        let evicted = entries.count < limit ? nil : entries.values.min { $0.lastUse < $1.lastUse }
        if let evicted { entries[evicted.key] = nil }
        entries[entry.key] = entry
        return evicted
    }

    mutating func remove(_ entry: Entry) {
        entries[entry.key] = nil
    }
}
