/// Functions are replaced completely, between the tables and the triggers.
///
/// The table `schema_functions` keeps the SHA-256 of every version of a function that was applied to this database. An
/// unknown version replaces the function. A known version belongs to an older program, which leaves the newer function
/// unchanged: two neighbouring versions run side by side.
extension Migrator {
    static let functionTable = """
        create table if not exists schema_functions (
            name       text not null,
            checksum   bytea not null,
            applied_at timestamptz not null default now(),
            primary key (name, checksum)
        )
        """

    /// The files with a version that this database has never had.
    func changedFunctions(on connection: Connection) throws -> [FunctionFile] {
        let paths = functions.map(\.path)
        let rows = try connection.query(
            """
            select f.path from unnest(\(paths), \(functions.map(\.sql))) as f(path, sql)
             where not exists (select from schema_functions s
                                where s.name = f.path and s.checksum = sha256(convert_to(f.sql, 'UTF8')))
            """)
        let changed = Set(try rows.map { try $0.value(0, as: String.self) })
        return functions.filter { changed.contains($0.path) }
    }

    /// Replaces all of them; a function may call a later one.
    func replace(_ changed: [FunctionFile], on connection: Connection) throws {
        try connection.execute("select set_config('check_function_bodies', 'off', true)")
        for function in changed {
            try run(function.sql, of: function.path, on: connection)
            try connection.execute(
                """
                insert into schema_functions (name, checksum)
                values (\(function.path), sha256(convert_to(\(function.sql), 'UTF8')))
                """)
        }
    }
}
