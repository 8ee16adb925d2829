import CPostgres
import Glibc

/// A connection that waits for notifications and checks that the server responds.
final class ListenerConnection {
    /// The interval between two checks of the server.
    private static let pause = Duration.milliseconds(300)
    /// The time limit for its answer.
    private static let patience = Duration.milliseconds(1_500)

    private let handle: ConnectionHandle
    private var askedAt: ContinuousClock.Instant?
    private var nextQuestion = ContinuousClock.now
    /// The start of the last answered check: every notification from before then has arrived.
    private(set) var heardAt: ContinuousClock.Instant?
    /// Whether ``wait(alsoFor:)`` ended because the server did not answer.
    private(set) var fellSilent = false

    init(_ configuration: PostgresConfiguration, channels: [String]) throws(ConnectFailure) {
        handle = try ConnectionHandle(configuration)
        for channel in channels {
            // Quoted, which keeps the case of the name and excludes SQL in it.
            let name = channel.replacing("\"", with: "\"\"")
            guard let result = unsafe PQexec(handle.raw, "listen \"\(name)\"") else { throw .outOfMemory }
            let answer = unsafe ResultHandle(result)
            guard answer.succeeded else { throw .setup(answer.failure.diagnostic) }
        }
    }

    /// Waits for data, for a write to `wakeUp`, or for the next check.
    ///
    /// - Returns: false if the connection has ended.
    func wait(alsoFor wakeUp: Int32) -> Bool {
        let event = askedAt.map { $0 + Self.patience } ?? nextQuestion
        let limit = event - .now
        let entries = [
            pollfd(fd: handle.socket, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
        ]
        var polled = entries
        let ready = unsafe poll(&polled, 2, Int32(limit.millisecondsAtLeastOne))
        if polled[0].revents != 0 {
            guard unsafe PQconsumeInput(handle.raw) == 1, readAnswers() else { return false }
            return askedAt == nil && nextQuestion <= .now ? ask() : true
        }
        guard ready == 0 else { return true }
        fellSilent = askedAt != nil
        return fellSilent ? false : ask()
    }

    /// The notifications that have arrived; nil if the connection has ended.
    func takeNotifications() -> [(channel: String, payload: String)]? {
        var list: [(channel: String, payload: String)] = []
        while let notification = unsafe PQnotifies(handle.raw) {
            let channel = unsafe String(cString: notification.pointee.relname)
            let payload = unsafe notification.pointee.extra.map { unsafe String(cString: $0) } ?? ""
            list.append((channel, payload))
            unsafe PQfreemem(notification)
        }
        return handle.isBroken ? nil : list
    }

    private func ask() -> Bool {
        let now = ContinuousClock.now
        (askedAt, nextQuestion) = (now, now + Self.pause)
        return unsafe PQsendQuery(handle.raw, "select 1") == 1
    }

    /// Takes the answer to ``ask()`` if it has arrived.
    private func readAnswers() -> Bool {
        guard askedAt != nil else { return !handle.isBroken }
        while unsafe PQisBusy(handle.raw) == 0 {
            guard let result = unsafe PQgetResult(handle.raw) else {
                heardAt = askedAt
                askedAt = nil
                break
            }
            unsafe PQclear(result)
        }
        return !handle.isBroken
    }
}
