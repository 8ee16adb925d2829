import Accounts
import Foundation
import Telemetry

/// The skipped lines of an import, one JSON object per line: number and reason, never the content.
struct ImportReport {
    /// The prefix of every line.
    private static let beginning = "{\"line\":"

    private let file: FileHandle

    /// Fails before the import starts if the file can't be created.
    ///
    /// Replaces the report of an earlier run: a stopped import continues with the same command.
    init(path: String) throws {
        do {
            file = try OutputFile.handle(for: path, mayEmpty: Self.isReport)
        } catch {
            Terminal.complain(error.text)
            throw ExitStatus.cannotCreate
        }
    }

    /// Whether a file is empty or begins like a report; a file of accounts never does.
    private static func isReport(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        let start = (try? file.read(upToCount: beginning.utf8.count)) ?? Data()
        return Array(beginning.utf8).starts(with: start)
    }

    func write(_ refused: ImportRefused) throws {
        try file.write(contentsOf: Data(Self.text(refused).utf8))
    }

    /// All lines that the run has refused, including its earlier parts.
    func write(refusalsOf run: String, in store: ImportStore) async throws {
        var last = 0
        while case let refusals = try await store.refusals(run, after: last), let end = refusals.last {
            let text = refusals.map(Self.text).joined()
            try file.write(contentsOf: Data(text.utf8))
            last = end.line
        }
    }

    private static func text(_ refused: ImportRefused) -> String {
        "\(beginning)\(refused.line),\"reason\":\"\(refused.reason.rawValue)\"}\n"
    }
}
