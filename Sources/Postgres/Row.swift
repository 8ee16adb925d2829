/// One row of a result, with its columns by number.
package struct Row: Sendable {
    let result: ResultHandle
    let index: Int32

    package func value<Value: SQLValue>(_ column: Int, as type: Value.Type = Value.self) throws(PostgresError) -> Value
    {
        let column = try checked(column)
        try expect(type, in: column)
        // No value is NULL here, so the generic type needs no optional, which would be instantiated at run time.
        guard !result.isNull(row: index, column: column) else { throw .decoding(column: result.columnName(column)) }
        return try decoded(column)
    }

    /// NULL is nil.
    package func value<Value: SQLValue>(_ column: Int, as type: Value?.Type = Value?.self) throws(PostgresError)
        -> Value?
    {
        try read(try checked(column))
    }

    private func checked(_ column: Int) throws(PostgresError) -> Int32 {
        guard column >= 0, column < Int(result.columnCount) else { throw .decoding(column: "#\(column)") }
        return Int32(column)
    }

    private func read<Value: SQLValue>(_ column: Int32) throws(PostgresError) -> Value? {
        try expect(Value.self, in: column)
        if result.isNull(row: index, column: column) { return nil }
        return try decoded(column)
    }

    private func expect<Value: SQLValue>(_ type: Value.Type, in column: Int32) throws(PostgresError) {
        guard Value.accepts(typeOID: result.typeOID(column)) else {
            throw .decoding(column: result.columnName(column))
        }
    }

    private func decoded<Value: SQLValue>(_ column: Int32) throws(PostgresError) -> Value {
        do {
            return try result.value(row: index, column: column, as: Value.self)
        } catch {
            throw .decoding(column: result.columnName(column))
        }
    }
}
