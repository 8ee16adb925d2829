import Foundation

/// One file of `Functions/<subject>/`: the only definition of the SQL function with the same name.
package struct FunctionFile: Sendable, Equatable {
    /// The path below `Functions/`, such as `sign_in/spend.sql`.
    package let path: String
    package let sql: String

    /// The function's name: the file name without its extension.
    package var name: String { String(path.split(separator: "/").last?.dropLast(4) ?? "") }

    /// Reads every file of every subject, ordered by path.
    /// - Throws: ``MigrationProblem/unreadable(file:)``.
    package static func read(folder: String) throws(MigrationProblem) -> [FunctionFile] {
        var files: [FunctionFile] = []
        for subject in try names(in: folder) {
            for file in try names(in: "\(folder)/\(subject)") where file.hasSuffix(".sql") {
                let path = "\(subject)/\(file)"
                guard let sql = try? String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8) else {
                    throw .unreadable(file: path)
                }
                files.append(FunctionFile(path: path, sql: sql))
            }
        }
        return files
    }

    private static func names(in folder: String) throws(MigrationProblem) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .unreadable(file: folder)
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }
}
