import Hummingbird
import JSON
import Logging
import Synchronization

@testable import HTTPServer
@testable import Telemetry

/// A listener with its own certificate, without a gateway.
struct SecureListener: Sendable {
    let folder: CertificateFolder
    let pair: CertificateFolder.Pair
    let log: KeptLog
    fileprivate let running: RunningListener

    var port: Int { running.port }

    /// Stops the server like SIGTERM.
    func stop() async { await running.stop() }

    /// Its answer to every request.
    static let greeting: HTTPListener.Answer = { _, _ in .init(response: .json(["a": 1])) }

    static var limits: HTTPListener.Limits {
        var limits = HTTPListener.Limits(maximumConnections: 1_000)
        // No test waits for it, so that a slow machine does not cause the tested effect.
        limits.idleSeconds = 600
        limits.farewellSeconds = 600
        return limits
    }

    /// Runs a listener on a free port while the body runs.
    static func run<Value: Sendable>(
        limits: HTTPListener.Limits = limits, files: TLSConfiguration? = nil,
        _ answer: @escaping HTTPListener.Answer = greeting,
        _ body: @escaping @Sendable (SecureListener) async throws -> Value
    ) async throws -> Value {
        let folder = try CertificateFolder()
        let pair = try await folder.pair()
        let (log, logging) = (KeptLog(), LoggingConfiguration(level: .notice, format: .json))
        let sink = log.sink
        let logger = Logger(label: "test") { GatewayLogHandler(label: $0, configuration: logging, sink: sink) }
        let certificate = try ServedCertificate(files ?? pair.files, interval: .milliseconds(20), logger: logger)
        return try await RunningListener.run(
            { onListening in
                HTTPListener(
                    host: "127.0.0.1", port: 0, publicURL: "https://localhost", certificate: certificate,
                    limits: limits,
                    logger: logger, answer: answer, onListening: onListening)
            }, logger: logger
        ) { running in
            try await body(SecureListener(folder: folder, pair: pair, log: log, running: running))
        }
    }
}

/// The log of a listener so far.
final class KeptLog: Sendable {
    private let storage: Storage
    let sink: LogSink

    init() {
        let storage = Storage()
        self.storage = storage
        sink = LogSink { new in storage.bytes.withLock { $0 += new } }
    }

    /// One JSON object per line.
    var lines: [JSON] {
        get throws {
            sink.flush()
            let text = String(decoding: storage.bytes.withLock(\.self), as: UTF8.self)
            return try text.split(separator: "\n").map { try JSON(parsing: String($0)) }
        }
    }

    private final class Storage: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }
}
