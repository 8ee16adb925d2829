import CPostgres

extension Connection {
    /// Runs a statement, after preparing it if needed.
    ///
    /// If the server has forgotten the statement, or the schema changed its result type, it is prepared again once. Inside a
    /// transaction the error stands, because the transaction has failed, and the next use prepares it.
    func send(_ sql: SQL) throws(PostgresError) -> ResultHandle {
        try traced(sql.statement) { () throws(PostgresError) in try answer(to: sql) }
    }

    private func answer(to sql: SQL) throws(PostgresError) -> ResultHandle {
        let presented = takePresented()
        // A statement that was already sent has run, so its answer is read in any case.
        if presented == nil { try checkInterruption() }
        guard let known = presented?.statement ?? statements.find(sql) else {
            return try run(try prepare(sql), sql)
        }
        do {
            if let presented { return try presented.answer.get() }
            return try run(known.name, sql)
        } catch {
            guard error.state == .featureNotSupported || error.state == .unknownStatement else { throw error }
            statements.remove(known)
            guard !handle.isInTransaction else { throw error }
            try checkInterruption()
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
        return try unsafe checked(
            withValues(name, sql) { name, values in
                unsafe PQexecPrepared(handle.raw, name, values.count, values.starts, values.lengths, values.formats, 1)
            })
    }

    /// Sends the statement without waiting for the answer.
    ///
    /// - Returns: whether libpq accepted it.
    func transmit(_ name: String, _ sql: SQL) -> Bool {
        unsafe withValues(name, sql) { name, values in
            unsafe PQsendQueryPrepared(
                handle.raw, name, values.count, values.starts, values.lengths, values.formats, 1) == 1
        }
    }

    /// The values in the form that libpq expects.
    @unsafe private struct Values {
        let count: Int32
        let starts: UnsafePointer<UnsafePointer<CChar>?>?
        let lengths: UnsafePointer<Int32>?
        let formats: UnsafePointer<Int32>?
    }

    /// Passes libpq pointers to the values, without copying them.
    private func withValues<Result>(
        _ name: String, _ sql: SQL, _ body: (UnsafePointer<CChar>, Values) -> Result
    ) -> Result {
        let parameters = sql.parameters
        let count = parameters.count
        return unsafe sql.bytes.withUnsafeBytes { bytes in
            unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
                unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                    unsafe name.withCString { name in
                        // An empty value needs an address too: libpq reads a null pointer as NULL.
                        let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(name)
                        for index in 0..<count {
                            let parameter = parameters[index]
                            let start = unsafe base.advanced(by: Int(parameter.offset)).assumingMemoryBound(
                                to: CChar.self)
                            unsafe values.initializeElement(at: index, to: parameter.length < 0 ? nil : start)
                            unsafe numbers.initializeElement(at: index, to: max(parameter.length, 0))
                            unsafe numbers.initializeElement(at: count + index, to: 1)
                        }
                        return unsafe body(
                            name,
                            Values(
                                count: Int32(count), starts: UnsafePointer(values.baseAddress),
                                lengths: UnsafePointer(numbers.baseAddress),
                                formats: UnsafePointer(numbers.baseAddress?.advanced(by: count))))
                    }
                }
            }
        }
    }
}
