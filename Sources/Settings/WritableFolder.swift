import FoundationEssentials

/// Folders into which the gateway writes files.
package enum WritableFolder {
    /// Why a file can't be written into a folder, as a sentence without a period; `nil` if it can.
    ///
    /// A missing folder counts as writable where it can be created.
    package static func fault(of path: String) -> String? {
        let manager = FileManager.default
        var place = URL(filePath: path)
        while !manager.fileExists(atPath: place.path), place.path != "/" { place.deleteLastPathComponent() }
        let attributes = try? manager.attributesOfItem(atPath: place.resolvingSymlinksInPath().path)
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
            return "files can't be written into \(path): \(place.path) is no folder"
        }
        guard manager.isWritableFile(atPath: place.path), holds(place) else {
            return "files can't be written into \(path): the user of this process may not write into \(place.path)"
        }
        return nil
    }

    /// Whether the place takes an entry; it is removed at once.
    ///
    /// Root has every permission, so only a trial finds a file system that takes nothing.
    private static func holds(_ place: URL) -> Bool {
        let trial = place.appending(path: ".gateway-\(UUID().uuidString)").path
        let manager = FileManager.default
        guard (try? manager.createDirectory(atPath: trial, withIntermediateDirectories: false)) != nil else {
            return false
        }
        try? manager.removeItem(atPath: trial)
        return true
    }
}
