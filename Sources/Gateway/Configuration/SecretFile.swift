import FoundationEssentials

/// Files that hold secrets: read whole, and looked at for who else may read them.
enum SecretFile {
    /// Why a file isn't private enough, or `nil`; a file that can't be looked at is somebody else's complaint.
    static func exposure(of path: String) -> String? {
        // Of the file itself: a link to it, as tools that renew certificates leave them, may be read by everybody.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        guard let mode = attributes?[.posixPermissions] as? UInt, mode & 0o066 != 0 else { return nil }
        return "\(path) can be read or written by others (mode \(String(mode & 0o777, radix: 8))): chmod 600 \(path)"
    }

    /// The text of a file, or `nil` when it can't be read, is no UTF-8, or is longer than 64 KiB.
    static func contents(of path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 65_536 else { return nil }
        return String(bytes: data, encoding: .utf8)
    }
}
