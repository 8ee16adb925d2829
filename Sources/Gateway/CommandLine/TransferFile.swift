import Accounts
import Foundation

/// The file of a transfer, which may be there from a run before; for its owner's eyes.
struct TransferFile {
    /// Whom it holds already.
    let written: Set<UUID>
    private let handle: FileHandle

    init(path: String) throws {
        _ = OutputFile.make(path)
        guard let handle = FileHandle(forUpdatingAtPath: path) else {
            Console.complain("\(path) can't be written.")
            throw ExitStatus.cannotCreate
        }
        (self.handle, written) = (handle, try Self.read(handle))
    }

    /// Returns when the line is on the disk.
    func append(_ line: TransferLine) throws {
        try handle.write(contentsOf: Data(line.bytes))
        try handle.synchronize()
    }

    /// Leaves the file at the end of its last whole line: what a kill left half written is written again.
    ///
    /// - Throws: for a file of anything else, which is left as it is.
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

    private static let foreign = Failure("The output file is there already, and no transfer wrote it.")
}
