package import Foundation
import Synchronization

/// An unnamed file: its content is read once and deleted with the last handle.
///
/// An export is written here first, so that a slow reader doesn't block the database.
package final class SpoolFile: Sendable {
    private static let bufferSize = 65_536
    private let handle: FileHandle
    private let buffer = Mutex<[UInt8]>([])

    /// An unnamed file in the folder for temporary files.
    package init() throws {
        let path = FileManager.default.temporaryDirectory.path + "/gateway-\(UUID().uuidString)"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes),
            let handle = FileHandle(forUpdatingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        self.handle = handle
        try FileManager.default.removeItem(atPath: path)
    }

    /// A permanent file, such as the operator's output.
    package init(_ handle: FileHandle) {
        self.handle = handle
    }

    func write(_ text: String) throws {
        try buffer.withLock { buffer in
            buffer.append(contentsOf: text.utf8)
            guard buffer.count >= Self.bufferSize else { return }
            try handle.write(contentsOf: buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    /// Writes the rest of the buffer.
    func flush() throws {
        try buffer.withLock { buffer in
            try handle.write(contentsOf: buffer)
            buffer.removeAll()
        }
    }

    /// Rewinds the file for reading; returns its length in bytes.
    package func rewind() throws -> Int {
        let length = try handle.offset()
        try handle.seek(toOffset: 0)
        return Int(length)
    }

    /// The next piece; nil at the end.
    package func read() throws -> [UInt8]? {
        guard let data = try handle.read(upToCount: Self.bufferSize), !data.isEmpty else { return nil }
        return Array(data)
    }
}
