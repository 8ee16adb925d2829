import Accounts
import Foundation

/// The lines that an import left out, one JSON object a line: the number and the reason, never what stood there.
struct ImportReport {
    private let file: FileHandle

    /// Fails before anything is imported where the file can't be made.
    init(path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else {
            Console.complain("\(path) can't be written.")
            throw ExitStatus.cannotCreate
        }
        self.file = file
    }

    func write(_ refused: ImportRefused) throws {
        try file.write(contentsOf: Data(Self.text(refused).utf8))
    }

    /// Everything that the run has refused, in this part of it and in those before.
    func write(refusalsOf run: String, in store: ImportStore) async throws {
        var last = 0
        while case let refusals = try await store.refusals(run, after: last), let end = refusals.last {
            let text = refusals.map(Self.text).joined()
            try file.write(contentsOf: Data(text.utf8))
            last = end.line
        }
    }

    private static func text(_ refused: ImportRefused) -> String {
        "{\"line\":\(refused.line),\"reason\":\"\(refused.reason.rawValue)\"}\n"
    }
}
