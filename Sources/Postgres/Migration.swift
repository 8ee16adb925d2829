import Foundation

/// One step of the schema: a file `NNNN_subject.sql`, or `NNNN_subject.after_functions.sql`.
package struct Migration: Sendable, Equatable {
    /// 1-based, without gaps.
    package let number: Int
    /// The whole file name.
    package let file: String
    package let sql: String
    /// Whether it uses functions of `Functions/`, as triggers do, and so runs after them.
    let comesAfterFunctions: Bool

    private static let afterFunctions = ".after_functions.sql"

    /// - Throws: ``MigrationProblem/fileName(_:)``.
    package init(file: String, sql: String) throws(MigrationProblem) {
        comesAfterFunctions = file.hasSuffix(Self.afterFunctions)
        let ending = comesAfterFunctions ? Self.afterFunctions : ".sql"
        let rest = file.utf8.dropFirst(4)
        let words = rest.dropFirst().dropLast(ending.utf8.count)
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
        guard file.utf8.prefix(4).allSatisfy(isDigit), rest.first == 0x5F, file.hasSuffix(ending), !words.isEmpty,
            words.allSatisfy({ (0x61...0x7A).contains($0) || isDigit($0) || $0 == 0x5F }),
            let number = Int(file.prefix(4)), number > 0
        else { throw .fileName(file) }
        self.number = number
        self.file = file
        self.sql = sql
    }

    /// Reads every file of a folder.
    package static func read(folder: String) throws(MigrationProblem) -> [Migration] {
        guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .unreadable(file: folder)
        }
        var migrations: [Migration] = []
        for file in files.sorted() where !file.hasPrefix(".") {
            guard let sql = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8) else {
                throw .unreadable(file: file)
            }
            migrations.append(try Migration(file: file, sql: sql))
        }
        return migrations
    }
}
