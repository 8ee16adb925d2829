public import Foundation

/// Keeps tokens in files that only this user can read, for command-line tools and Linux.
///
/// The files are not encrypted. On Apple systems use ``KeychainTokenStore``.
public struct FileTokenStore: TokenStore {
    private let folder: URL

    /// A store in a folder, which is created at the first write.
    public init(folder: URL) { self.folder = folder }

    /// The stored bytes.
    public func read(_ name: String) async throws -> Data? {
        do {
            return try Data(contentsOf: file(name))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    /// Writes another file first and renames it: a crash leaves the old bytes or the new ones.
    public func write(_ data: Data, as name: String) async throws {
        let manager = FileManager.default
        let ours: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try manager.createDirectory(at: folder, withIntermediateDirectories: true, attributes: ours)
        let draft = folder.appendingPathComponent(".\(UUID().uuidString)")
        let secret: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard manager.createFile(atPath: draft.path, contents: data, attributes: secret) else {
            throw CocoaError(.fileWriteUnknown)
        }
        // FileManager on Linux can't replace a file.
        guard rename(draft.path, file(name).path) == 0 else {
            try? manager.removeItem(at: draft)
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Removes the file.
    public func remove(_ name: String) async throws {
        guard FileManager.default.fileExists(atPath: file(name).path) else { return }
        try FileManager.default.removeItem(at: file(name))
    }

    /// Base64url, because a name may have slashes.
    private func file(_ name: String) -> URL { folder.appendingPathComponent(Base64URL.encode(Data(name.utf8))) }
}
