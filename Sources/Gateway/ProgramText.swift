import Foundation
import Glibc

/// The program's own code in memory.
enum ProgramText {
    /// Unmaps the code that only the start needs: settings, wiring and routes.
    ///
    /// The kernel maps code around each page that runs, and keeps it mapped while memory is plenty. Code that runs again is
    /// mapped again from the page cache, without a read. Without the kernel's list nothing is unmapped.
    /// docs/decisions/0018 has the measured gain.
    static func unmapStart() {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        else { return }
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            if let range = codeRange(line, of: program) { unmap(range) }
        }
    }

    /// - Parameter range: pages of a file that are never written to.
    static func unmap(_ range: Range<UInt>) {
        guard let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound) else { return }
        unsafe madvise(start, range.count, MADV_DONTNEED)
    }

    /// The addresses of a line of `/proc/self/maps` (proc(5)) that is code of the program; nil for any other line.
    static func codeRange(_ line: Substring, of program: String) -> Range<UInt>? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }) == program else {
            return nil
        }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        return bounds[0]..<bounds[1]
    }
}
