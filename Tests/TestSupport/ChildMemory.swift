import Foundation

/// The memory of a process.
package enum ChildMemory: String {
    /// The current resident memory.
    case resident = "VmRSS"
    /// The maximum so far.
    case peak = "VmHWM"

    /// False under the address sanitizer, which keeps freed memory and distorts the figures.
    package static let isTelling = ProcessInfo.processInfo.environment["SANITIZER"] != "address"
}

extension ChildProcess {
    /// Reads the memory of the process.
    ///
    /// - Returns: KiB.
    /// - Throws: ``HarnessError`` if the process has ended.
    package func memory(_ kind: ChildMemory) throws -> Int {
        let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(kind.rawValue):") }
        guard let figure = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
            throw HarnessError("There is no \(kind.rawValue) of process \(id).")
        }
        return figure
    }
}
