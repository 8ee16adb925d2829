import CPostgres
import Glibc

/// Owns a `PGresult`.
@safe final class ResultHandle: @unchecked Sendable {
    // Sendable, as libpq's manual says: "PGresult objects are normally read-only after creation, and so can be passed around freely
    // between threads." Nothing here changes one.
    private let raw: OpaquePointer
    let rowCount: Int32
    let columnCount: Int32

    init(_ raw: OpaquePointer) {
        unsafe self.raw = raw
        unsafe rowCount = PQntuples(raw)
        unsafe columnCount = PQnfields(raw)
    }

    deinit {
        unsafe PQclear(raw)
    }

    var succeeded: Bool {
        switch unsafe PQresultStatus(raw) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: true
        default: false
        }
    }

    var rowsAffected: Int {
        unsafe Int(String(cString: PQcmdTuples(raw))) ?? 0
    }

    var commandTag: String {
        unsafe String(cString: PQcmdStatus(raw))
    }

    var state: SQLState {
        SQLState(rawValue: field("C") ?? "")
    }

    /// The server's error.
    ///
    /// Messages of data exceptions quote the value, so they are omitted.
    var failure: PostgresError {
        let state = state
        if state == .queryCancelled { return .timedOut }
        let message = state.family == "22" ? "" : field("M") ?? ""
        return .statement(
            state, constraint: field("n"), message: message)
    }

    /// A field of an error by its letter in the protocol: C is the code, M the message, n the constraint.
    private func field(_ letter: Unicode.Scalar) -> String? {
        guard let text = unsafe PQresultErrorField(raw, Int32(letter.value)) else { return nil }
        return unsafe String(cString: text)
    }

    func columnName(_ column: Int32) -> String {
        guard let name = unsafe PQfname(raw, column) else { return "#\(column)" }
        return unsafe String(cString: name)
    }

    func typeOID(_ column: Int32) -> UInt32 {
        unsafe PQftype(raw, column)
    }

    func isNull(row: Int32, column: Int32) -> Bool {
        unsafe PQgetisnull(raw, row, column) == 1
    }

    /// Reads a value in the result's memory, without a copy.
    ///
    /// Row and column must exist, and the value must not be NULL.
    func value<Value: SQLValue>(row: Int32, column: Int32, as type: Value.Type) throws(PostgresError) -> Value {
        let length = unsafe Int(PQgetlength(raw, row, column))
        guard let start = unsafe PQgetvalue(raw, row, column) else { throw .unreadable }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
        return try unsafe Value(wireBytes: Span<UInt8>(_unsafeBytes: bytes))
    }
}
