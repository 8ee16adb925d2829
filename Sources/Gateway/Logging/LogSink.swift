import Dispatch
import Foundation
import Logging
import Synchronization

/// Where finished log lines go: collected for a moment and written together, so that a request doesn't pay for a system
/// call.
///
/// Lines keep their order. Serious ones, and a full buffer, are written at once. When nobody reads our output and the
/// buffer's limit is reached, lines are counted and dropped: logging never stops the server.
final class LogSink: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        /// Empty, and as large as the last lines needed: two buffers take turns.
        var spare: [UInt8] = []
        var isFlushPlanned = false
        var dropped = 0
    }

    private static let flushSize = 32_768
    private static let limit = 8 * 1_024 * 1_024

    private let state = Mutex(State())
    private let format: Mutex<LogFormat>
    private let queue = DispatchQueue(label: "gateway.log")
    private let delay: DispatchTimeInterval
    private let write: @Sendable ([UInt8]) -> Void

    /// The process's standard error.
    static let standardError = LogSink { bytes in
        try? FileHandle.standardError.write(contentsOf: bytes)
    }

    init(
        delay: DispatchTimeInterval = .milliseconds(25), format: LogFormat = .text,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.format = Mutex(format)
        self.delay = delay
        self.write = write
    }

    /// Takes one line that the closure appends, without its line feed.
    func line(isUrgent: Bool = false, _ append: (inout [UInt8]) -> Void) {
        let plan = state.withLock { state -> FlushPlan in
            guard state.buffer.count < Self.limit else {
                state.dropped += 1
                return .none
            }
            append(&state.buffer)
            state.buffer.append(UInt8(ascii: "\n"))
            if isUrgent || state.buffer.count >= Self.flushSize { return .now }
            if state.isFlushPlanned { return .none }
            state.isFlushPlanned = true
            return .later
        }
        switch plan {
        case .none: break
        case .later: queue.asyncAfter(deadline: .now() + delay) { self.flushOnQueue() }
        case .now: queue.async { self.flushOnQueue() }
        }
    }

    /// Says in which format the sink's own lines are from now on; those that it takes are made already.
    func use(_ format: LogFormat) {
        self.format.withLock { $0 = format }
    }

    /// Writes everything taken so far and returns when it is out, or after that time: where our output is a pipe that
    /// nobody reads, writing to it never ends.
    ///
    /// - Returns: whether it is out.
    @discardableResult
    func flush(within patience: DispatchTimeInterval = .seconds(2)) -> Bool {
        let isOut = DispatchSemaphore(value: 0)
        queue.async {
            self.flushOnQueue()
            isOut.signal()
        }
        return isOut.wait(timeout: .now() + patience) == .success
    }

    private enum FlushPlan {
        case none, later, now
    }

    private func flushOnQueue() {
        var (bytes, dropped) = state.withLock { state in
            let taken = (state.buffer, state.dropped)
            state = State(buffer: state.spare)
            return taken
        }
        if dropped > 0 { write(lossLine(dropped)) }
        guard !bytes.isEmpty else { return }
        write(bytes)
        guard bytes.capacity <= 4 * Self.flushSize else { return }
        bytes.removeAll(keepingCapacity: true)
        state.withLock { $0.spare = bytes }
    }

    private func lossLine(_ count: Int) -> [UInt8] {
        let message = "log lines were dropped: nobody read them fast enough"
        var line = LogLine(
            format.withLock { $0 }, at: Date(), level: .error, label: "gateway.log", message: message)
        line.field("count", count)
        line.finish()
        return line.bytes + [UInt8(ascii: "\n")]
    }
}
