import Foundation

/// How much memory a process has.
package enum ChildMemory: String {
    /// What it holds of the machine's memory now.
    case resident = "VmRSS"
    /// The most that it has held so far.
    case peak = "VmHWM"

    /// False under the address sanitizer, which keeps what was freed: the figures are mostly its own.
    package static let isTelling = ProcessInfo.processInfo.environment["SANITIZER"] != "address"
}

extension ChildProcess {
    /// Reads how much memory the process has.
    ///
    /// - Returns: KiB.
    /// - Throws: ``HarnessError`` when the process is gone.
    package func memory(_ kind: ChildMemory) throws -> Int {
        let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("\(kind.rawValue):") }
        guard let figure = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
            throw HarnessError("There is no \(kind.rawValue) of process \(id).")
        }
        return figure
    }
}
