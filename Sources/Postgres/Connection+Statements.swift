import CPostgres

extension Connection {
    /// Prepares the statement if need be and runs it.
    ///
    /// A statement that the server has forgotten, or whose result changed its shape with the schema, is prepared again once:
    /// outside a transaction nothing of the failed attempt stays. Inside one the failure stands, and the next use prepares.
    func send(_ sql: SQL) throws(PostgresError) -> ResultHandle {
        try checkInterruption()
        guard let known = statements.find(sql) else {
            return try run(try prepare(sql), sql)
        }
        do {
            return try run(known.name, sql)
        } catch {
            guard error.state == .featureNotSupported || error.state == .unknownStatement else { throw error }
            statements.remove(known)
            guard !handle.isInTransaction else { throw error }
            return try run(try prepare(sql), sql)
        }
    }

    private func prepare(_ sql: SQL) throws(PostgresError) -> String {
        let name = statements.newName()
        let types = sql.parameters.map(\.type)
        _ = try unsafe checked(PQprepare(handle.raw, name, sql.text, Int32(types.count), types))
        if let evicted = statements.insert(name: name, for: sql) {
            _ = try unsafe checked(PQexec(handle.raw, "deallocate \(evicted.name)"))
        }
        return name
    }

    private func run(_ name: String, _ sql: SQL) throws(PostgresError) -> ResultHandle {
        noteSending(keepsNothing: false)
        guard !sql.parameters.isEmpty else {
            return try unsafe checked(PQexecPrepared(handle.raw, name, 0, nil, nil, nil, 1))
        }
        return try unsafe checked(execute(name, sql))
    }

    /// Points libpq to the values where they lie.
    private func execute(_ name: String, _ sql: SQL) -> OpaquePointer? {
        let parameters = sql.parameters
        let count = parameters.count
        return unsafe sql.bytes.withUnsafeBytes { bytes in
            unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                    unsafe name.withCString { name in
                        // An empty value needs an address too: libpq takes a missing one for NULL.
                        let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(name)
                        for index in 0..<count {
                            let parameter = parameters[index]
                            let start = unsafe base.advanced(by: Int(parameter.offset)).assumingMemoryBound(
                                to: CChar.self)
                            unsafe values.initializeElement(at: index, to: parameter.length < 0 ? nil : start)
                            unsafe numbers.initializeElement(at: index, to: max(parameter.length, 0))
                            unsafe numbers.initializeElement(at: count + index, to: 1)
                        }
                        guard let lengths = numbers.baseAddress else { return nil }
                        return unsafe PQexecPrepared(
                            handle.raw, name, Int32(count), values.baseAddress, lengths, lengths + count, 1)
                    }
                }
            }
        }
    }
}
