package import Dispatch
import Foundation
import Logging
import Synchronization

/// Collects log lines for a moment and writes them together on its own queue.
///
/// Lines keep their order. Warnings, errors and a full buffer are written at once. If nobody reads the output and the buffer
/// reaches its limit, further lines are dropped and counted, so logging never blocks a request.
package final class LogSink: Sendable {
    private struct State {
        var buffer: [UInt8] = []
        /// The empty second buffer; both take turns, so that neither is allocated anew.
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
    package static let standardError = LogSink { bytes in
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

    /// Adds the line that the closure appends, without a line feed.
    package func line(isUrgent: Bool = false, _ append: (inout [UInt8]) -> Void) {
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

    /// Sets the format of the sink's own lines.
    package func use(_ format: LogFormat) {
        self.format.withLock { $0 = format }
    }

    /// Writes all collected lines and waits for it.
    ///
    /// The wait has a limit, because writing to a pipe without a reader never ends.
    ///
    /// - Returns: whether all lines were written.
    @discardableResult
    package func flush(within patience: DispatchTimeInterval = .seconds(2)) -> Bool {
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
