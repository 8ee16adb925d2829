import FoundationEssentials
import Outbound
import Synchronization

/// A folder that stores messages instead of sending them, for development.
///
/// Files have mode `0600` and are named by time, so they sort by arrival. A reader never sees a partial file.
struct DeliveryFolder: Sendable {
    let path: String
    let now: @Sendable () -> Date
    private let counter = FileCounter()

    init(path: String, now: @escaping @Sendable () -> Date) {
        (self.path, self.now) = (path, now)
    }

    /// - Parameter content: receives the time and the file's name without its extension.
    /// - Throws: `.notStored` with the folder when the file cannot be written.
    func store(ending: String, _ content: (Date, String) -> [UInt8]) throws(DeliveryError) {
        let date = now()
        let name = fileName(date)
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .notStored(folder: path)
        }
        let isWritten = manager.createFile(
            atPath: "\(path)/\(name).\(ending)", contents: Data(content(date, name)),
            attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw .notStored(folder: path) }
    }

    /// `20261121-123456.789-000001-4711`: the time in UTC, a count, and the process, since several may share a
    /// directory.
    private func fileName(_ date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded(.down))
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let (year, month, day) = MailDate.civil(daysSince1970: days)
        let time = milliseconds - days * 86_400_000
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1000 % 60].map { MailDate.padded($0, 2) }.joined()
        return MailDate.padded(year, 4) + MailDate.padded(month, 2) + MailDate.padded(day, 2)
            + "-\(clock).\(MailDate.padded(time % 1000, 3))-\(MailDate.padded(counter.next(), 6))"
            + "-\(ProcessInfo.processInfo.processIdentifier)"
    }

    /// Lines for a terminal, indented, without control characters.
    static func indented(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { "  " + MailHeader.singleLine(String($0)) }
            .joined(separator: "\n")
    }
}

private final class FileCounter: Sendable {
    private let value = Atomic(0)

    func next() -> Int {
        value.add(1, ordering: .relaxed).newValue
    }
}
