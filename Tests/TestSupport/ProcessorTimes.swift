import Foundation

/// The times of all processors since the start of the machine, as Linux counts them (`/proc/stat`).
struct ProcessorTimes {
    let idle: Int
    let total: Int

    /// Nil where the system counts none.
    static var now: ProcessorTimes? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            let line = text.split(separator: "\n").first
        else { return nil }
        let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
        guard times.count == 8 else { return nil }
        // Idle, and waiting for a disk.
        return ProcessorTimes(idle: times[3] + times[4], total: times.reduce(0, +))
    }

    /// The idle part of the time between two moments; nil if no time passed.
    func idleShare(since earlier: ProcessorTimes?) -> Double? {
        guard let earlier, total > earlier.total else { return nil }
        return Double(idle - earlier.idle) / Double(total - earlier.total)
    }
}
