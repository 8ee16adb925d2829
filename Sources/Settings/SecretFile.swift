import FoundationEssentials

/// Files with secrets: reads them whole, and checks which other users may read them.
package enum SecretFile {
    /// The reason why a file is not private enough, or `nil`; another check reports an inaccessible file.
    ///
    /// - Parameter credentials: systemd's folder of credentials. From version 254 on their group can read them
    ///   (`root:root 0440`), because an access list admits the service's user. No other user may enter that folder.
    package static func exposure(
        of path: String, credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    ) -> String? {
        // Checks the file itself. Tools that renew certificates leave a link to it that everybody may read.
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
        let mask: UInt = isDirectlyBelow(credentials, target) ? 0o026 : 0o066
        guard let mode = attributes?[.posixPermissions] as? UInt, mode & mask != 0 else { return nil }
        return "\(path) can be read or written by others (mode \(String(mode & 0o777, radix: 8))): chmod 600 \(path)"
    }

    /// Whether a file, with its links resolved, lies directly in a folder.
    private static func isDirectlyBelow(_ folder: String?, _ target: URL) -> Bool {
        guard let folder, folder.hasPrefix("/") else { return false }
        return target.deletingLastPathComponent().path == URL(filePath: folder).resolvingSymlinksInPath().path
    }

    /// Why ``contents(of:)`` has no text for a file, as the end of a sentence about it.
    package static func fault(of path: String) -> String {
        let manager = FileManager.default
        guard manager.fileExists(atPath: path) else { return "does not exist" }
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let attributes = try? manager.attributesOfItem(atPath: target.path)
        guard attributes?[.type] as? FileAttributeType != .typeDirectory else { return "is a folder" }
        return manager.isReadableFile(atPath: path)
            ? "is no text of at most 64 KiB" : "can't be read by the user of this process"
    }

    /// The text of a file; `nil` if it is unreadable, not UTF-8, or longer than 64 KiB.
    package static func contents(of path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 65_536 else { return nil }
        return String(bytes: data, encoding: .utf8)
    }
}
