import Foundation
import TestSupport
import Testing

@testable import Postgres

/// `make landing` writes the digests of all files before a landing.
@Suite("Published schema files")
struct PublishedSchemaTests {
    /// Digest by file name, in the form of `sha256sum`.
    private static func published() throws -> [String: String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "published-schema.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return Dictionary(
            uniqueKeysWithValues: lines.map { $0.split(separator: " ") }.map { (String($0[1]), String($0[0])) })
    }

    /// The same as databases have it: a changed digest stops their next migration.
    private static func applied() async throws -> [String: String] {
        try await withTestDatabase { database in
            let rows = try await database.pool.withConnection { connection in
                try connection.query("select name, encode(checksum, 'hex') from schema_migrations").map {
                    (try $0.value(0, as: String.self), try $0.value(1, as: String.self))
                }
            }
            return Dictionary(uniqueKeysWithValues: rows)
        }
    }

    @Test("a published file never changes")
    func frozen() async throws {
        let (published, applied) = try await (Self.published(), Self.applied())
        #expect(published.count >= 13)
        for (file, digest) in published {
            #expect(applied[file] == digest, "Databases have the published \(file): put it back, and add a new file.")
        }
    }

    @Test("every file is published")
    func complete() async throws {
        let unknown = try await Set(Self.applied().keys).subtracting(Self.published().keys)
        #expect(unknown == [], "`make landing` publishes them.")
    }
}
