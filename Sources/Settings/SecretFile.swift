import FoundationEssentials

/// Files that hold secrets: read whole, and looked at for who else may read them.
package enum SecretFile {
    /// Why a file isn't private enough, or `nil`; a file that can't be looked at is somebody else's complaint.
    ///
    /// - Parameter credentials: where systemd keeps the credentials. From version 254 on they are readable by their
    ///   group (`root:root 0440`), as an access list lets the service's user in; nobody else enters that folder.
    package static func exposure(
        of path: String, credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
    ) -> String? {
        // Of the file itself: a link to it, as tools that renew certificates leave them, may be read by everybody.
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
        let mask: UInt = isDirectlyBelow(credentials, target) ? 0o026 : 0o066
        guard let mode = attributes?[.posixPermissions] as? UInt, mode & mask != 0 else { return nil }
        return "\(path) can be read or written by others (mode \(String(mode & 0o777, radix: 8))): chmod 600 \(path)"
    }

    /// Whether a file, its links followed, lies in a folder itself, not further down.
    private static func isDirectlyBelow(_ folder: String?, _ target: URL) -> Bool {
        guard let folder, folder.hasPrefix("/") else { return false }
        return target.deletingLastPathComponent().path == URL(filePath: folder).resolvingSymlinksInPath().path
    }

    /// The text of a file, or `nil` when it can't be read, is no UTF-8, or is longer than 64 KiB.
    package static func contents(of path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 65_536 else { return nil }
        return String(bytes: data, encoding: .utf8)
    }
}
