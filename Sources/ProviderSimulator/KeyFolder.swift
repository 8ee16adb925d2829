import Cryptography
import Foundation
import Synchronization

/// A folder of RSA keys for the next starts, because a start with fresh ones takes seconds of processor time.
///
/// A simulator takes each key once, so no two of its key sets share one.
final class KeyFolder: Sendable {
    /// The folder of `--keys`.
    static let current = Mutex<KeyFolder?>(nil)

    private let folder: URL
    private let taken = Mutex(0)

    /// Makes the folder if need be.
    init(path: String) throws {
        folder = URL(filePath: path, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The next key of ``current``, or a fresh one without a folder.
    static func rsaKey() throws -> PrivateKey {
        guard let folder = current.withLock(\.self) else { return try .generateRSA(bits: 2048) }
        return try folder.next()
    }

    private func next() throws -> PrivateKey {
        let number = taken.withLock { taken in
            taken += 1
            return taken
        }
        let file = folder.appending(path: "\(number).pem")
        if let text = try? String(contentsOf: file, encoding: .utf8), let key = try? PrivateKey(pem: text) {
            return key
        }
        let key = try PrivateKey.generateRSA(bits: 2048)
        try Data(key.pem.utf8).write(to: file, options: .atomic)
        return key
    }
}
