import CPostgres

/// Parses connection strings like libpq.
package enum ConnectionString {
    struct Option: Equatable {
        let keyword: String
        let value: String
    }

    /// The options that a connection string sets.
    ///
    /// - Throws: ``PostgresError/misconfigured``. libpq's own message is dropped, because it quotes the string.
    static func options(of text: String) throws(PostgresError) -> [Option] {
        guard !text.utf8.contains(0), let list = unsafe PQconninfoParse(text, nil) else { throw .misconfigured }
        defer { unsafe PQconninfoFree(list) }
        var options: [Option] = []
        var next = unsafe list
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val {
                options.append(Option(keyword: unsafe String(cString: keyword), value: unsafe String(cString: value)))
            }
            unsafe next += 1
        }
        return options
    }

    /// The same server and role with another database, in the `keyword='value'` form.
    package static func replacingDatabase(in text: String, with name: String) throws(PostgresError) -> String {
        let options = try options(of: text).filter { $0.keyword != "dbname" } + [Option(keyword: "dbname", value: name)]
        return options.map { "\($0.keyword)='\(escape($0.value))'" }.joined(separator: " ")
    }

    private static func escape(_ value: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            if scalar == "'" || scalar == "\\" { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
