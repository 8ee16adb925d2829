package import FoundationEssentials
import Synchronization

/// For development: keeps each mail as a file instead of sending it, and announces it in a few plain lines.
///
/// Files are `0600` and named by time, so that they sort in the order they came; a reader never sees half of one.
package struct FileSender: MailSender {
    private let directory: String
    private let announce: @Sendable (String) -> Void
    private let now: @Sendable () -> Date
    private let counter = Counter()

    /// - Parameters:
    ///   - directory: made (`0700`) when it doesn't exist.
    ///   - announce: gets a rendering without control characters, for a terminal.
    package init(
        directory: String,
        now: @escaping @Sendable () -> Date = { Date() },
        announce: @escaping @Sendable (String) -> Void
    ) {
        self.directory = directory
        self.now = now
        self.announce = announce
    }

    /// - Throws: `.notStored` when the file can't be written.
    package func send(_ message: MailMessage) async throws(DeliveryError) {
        let date = now()
        let name = fileName(date)
        let content = Data(message.rendered(date: date, messageID: "\(name)@\(message.from.domain)"))
        let manager = FileManager.default
        do {
            try manager.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .notStored
        }
        let isWritten = manager.createFile(
            atPath: "\(directory)/\(name).eml", contents: content, attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw .notStored }
        announce(FileSender.rendering(of: message))
    }

    /// `20261121-123456.789-000001-4711`: the time in UTC, a count, and the process, since several may share a directory.
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

    private static func rendering(of message: MailMessage) -> String {
        let body = message.textBody.split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { "  " + MailHeader.singleLine(String($0)) }
            .joined(separator: "\n")
        return "mail to \(message.to.address): \(MailHeader.singleLine(message.subject))\n\(body)\n"
    }
}

private final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int {
        value.add(1, ordering: .relaxed).newValue
    }
}
