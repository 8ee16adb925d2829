import Foundation

/// One step of the schema: a file `NNNN_what_it_does.sql`.
package struct Migration: Sendable, Equatable {
    /// From 1, without holes.
    package let number: Int
    /// The whole file name.
    package let file: String
    package let sql: String

    /// - Throws: ``MigrationProblem/fileName(_:)``.
    package init(file: String, sql: String) throws(MigrationProblem) {
        let bytes = Array(file.utf8)
        let digits = bytes.prefix(4)
        let words = bytes.dropFirst(5).dropLast(4)
        let isWord: (UInt8) -> Bool = { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        guard bytes.count > 9, digits.allSatisfy({ (0x30...0x39).contains($0) }), bytes[4] == 0x5F,
            file.hasSuffix(".sql"),
            words.allSatisfy(isWord), let number = Int(file.prefix(4)), number > 0
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
