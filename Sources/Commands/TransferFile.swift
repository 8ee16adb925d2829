import Accounts
import Foundation
import Telemetry

/// The file of a transfer, possibly from an earlier run; readable by its owner only.
struct TransferFile {
    /// The identities that the file already contains.
    let written: Set<UUID>
    private let handle: FileHandle

    init(path: String) throws {
        _ = OutputFile.make(path)
        guard let handle = FileHandle(forUpdatingAtPath: path) else {
            Terminal.complain("\(path) can't be written.")
            throw ExitStatus.cannotCreate
        }
        (self.handle, written) = (handle, try Self.read(handle))
    }

    /// Returns after the line is on disk.
    func append(_ line: TransferLine) throws {
        try handle.write(contentsOf: Data(line.bytes))
        try handle.synchronize()
    }

    /// Truncates the file after its last complete line, so that a half-written line is rewritten.
    ///
    /// - Throws: if the file contains anything else; it stays unchanged.
    private static func read(_ handle: FileHandle) throws -> Set<UUID> {
        var reader = LineReader(handle)
        var written: Set<UUID> = []
        var end = 0
        while let line = try reader.next() {
            guard case .bytes(let bytes) = line else { throw foreign }
            guard reader.bytesRead == end + bytes.count + 1 else {
                guard TransferLine.couldBegin(with: bytes) else { throw foreign }
                break
            }
            guard let line = TransferLine(bytes) else { throw foreign }
            written.insert(line.identity)
            end = reader.bytesRead
        }
        try handle.truncate(atOffset: UInt64(end))
        try handle.seekToEnd()
        return written
    }

    private static let foreign = Failure("The output file exists and was not written by a transfer.")
}
