import Dispatch
import Foundation
import JSON
import Synchronization
import Testing

@testable import Telemetry

@Suite("The log's sink")
struct LogSinkTests {
    /// The output of a sink that receives more than its limit during its first write.
    private final class Flood: Sendable {
        let written = Mutex<[[UInt8]]>([])
        let sink = Mutex<LogSink?>(nil)

        func take(_ bytes: [UInt8]) {
            let isFirst = written.withLock { written in
                written.append(bytes)
                return written.count == 1
            }
            guard isFirst, let sink = self.sink.withLock({ $0 }) else { return }
            sink.line { $0.append(contentsOf: [UInt8](repeating: 0x20, count: 9 << 20)) }
            for _ in 0..<2 { sink.line { $0.append(0x78) } }
        }
    }

    @Test("dropped lines are reported in the log's own format", arguments: LogFormat.allCases)
    func dropped(format: LogFormat) throws {
        let flood = Flood()
        let sink = LogSink { flood.take($0) }
        sink.use(format)
        flood.sink.withLock { $0 = sink }
        sink.line { $0.append(0x78) }
        #expect(sink.flush(within: .seconds(60)))
        #expect(sink.flush(within: .seconds(60)))
        flood.sink.withLock { $0 = nil }
        let pieces = flood.written.withLock { $0 }
        #expect(pieces.count == 3)
        let line = String(decoding: pieces[1], as: UTF8.self)
        #expect(line.contains("log lines were dropped") && line.hasSuffix("\n"))
        #expect(line.hasPrefix("{") == (format == .json))
        guard format == .json else { return }
        #expect(try JSON(parsing: String(line.dropLast()))["count"]?.integer == 2)
    }

    @Test("without a reader, the wait for the output ends")
    func nobodyReads() {
        let isRead = DispatchSemaphore(value: 0)
        let sink = LogSink { _ in
            isRead.wait()
            isRead.signal()
        }
        // Releases a sink that waits wrongly; its output then fails the test.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(60)) { isRead.signal() }
        sink.line { $0.append(0x78) }
        #expect(!sink.flush(within: .milliseconds(50)))
        isRead.signal()
        #expect(sink.flush(within: .seconds(60)))
    }
}
