/// One row of an answer.
///
/// Columns are read by number, which is quicker, or by name.
package struct Row: Sendable {
    let result: ResultHandle
    let index: Int32

    package func value<Value: SQLValue>(_ column: Int, as type: Value.Type = Value.self) throws(PostgresError) -> Value
    {
        let column = try checked(column)
        guard let value: Value = try read(column) else { throw .decoding(column: result.columnName(column)) }
        return value
    }

    /// NULL is nil.
    package func value<Value: SQLValue>(_ column: Int, as type: Value?.Type = Value?.self) throws(PostgresError)
        -> Value?
    {
        try read(try checked(column))
    }

    package func value<Value: SQLValue>(_ name: String, as type: Value.Type = Value.self) throws(PostgresError) -> Value
    {
        guard let column = result.column(named: name), let value: Value = try read(column) else {
            throw .decoding(column: name)
        }
        return value
    }

    /// NULL is nil; a column that doesn't exist is an error.
    package func value<Value: SQLValue>(_ name: String, as type: Value?.Type = Value?.self) throws(PostgresError)
        -> Value?
    {
        guard let column = result.column(named: name) else { throw .decoding(column: name) }
        return try read(column)
    }

    private func checked(_ column: Int) throws(PostgresError) -> Int32 {
        guard column >= 0, column < Int(result.columnCount) else { throw .decoding(column: "#\(column)") }
        return Int32(column)
    }

    private func read<Value: SQLValue>(_ column: Int32) throws(PostgresError) -> Value? {
        guard Value.accepts(typeOID: result.typeOID(column)) else {
            throw .decoding(column: result.columnName(column))
        }
        if result.isNull(row: index, column: column) { return nil }
        do {
            return try result.value(row: index, column: column, as: Value.self)
        } catch {
            throw .decoding(column: result.columnName(column))
        }
    }
}
