/// Why the schema can't be updated.
///
/// Each case names the affected file.
package enum MigrationProblem: Error, Equatable, Sendable {
    /// A file in the folder isn't named `NNNN_words_like_these.sql`.
    case fileName(String)
    case unreadable(file: String)
    case duplicateNumber(Int, files: [String])
    /// Numbers are 1-based without gaps; `before` is the first file after a gap.
    case missingNumber(Int, before: String)
    /// The role lacks USAGE on the schema, so it can't read its contents.
    case hiddenSchema(String)
    /// The database has a different file with this number: its schema is from before the first release.
    case otherSchema(applied: String, file: String)
    /// A file was changed after it had been applied.
    case changed(file: String)
    /// A file with a lower number than an applied one was never applied.
    case skipped(file: String)
    /// A file ended the transaction of the migrator.
    case endedTransaction(file: String)
    /// Another transaction used a table of the file for longer than the whole ``MigrationPatience``.
    case locked(file: String)
    case failed(file: String, SQLState, message: String)
}

extension MigrationProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .fileName(let name): "\(name) isn't named like a migration (0001_subject.sql)"
        case .unreadable(let file): "migration \(file) can't be read"
        case .duplicateNumber(let number, let files):
            "migrations \(files.joined(separator: " and ")) both have number \(number)"
        case .missingNumber(let number, let before): "migration number \(number) is missing before \(before)"
        case .hiddenSchema(let name):
            "the role of DATABASE_URL has no USAGE right on schema \(name), so nothing in it can be seen"
        case .otherSchema(let applied, let file):
            "a schema from before the first release made this database: it has \(applied) where this program has \(file). "
                + "It can't be carried over; create an empty database"
        case .changed(let file): "migration \(file) was changed after it had been applied"
        case .skipped(let file): "migration \(file) was skipped: a later one has been applied already"
        case .endedTransaction(let file): "migration \(file) ends its transaction; it must not say commit or rollback"
        case .locked(let file):
            "another transaction uses a table that migration \(file) changes, such as a backup's. Nothing was changed; "
                + "run gateway migrate again after its end (pg_stat_activity lists it)"
        case .failed(let file, let state, _): "migration \(file) failed (\(state.rawValue))"
        }
    }
}
