import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore
import Synchronization
import Testing

@testable import GatewaySettings
@testable import HTTPServer
@testable import Telemetry

/// A request shell without a socket.
struct TestShell: Sendable {
    let shell: RequestShell
    let registry = MetricsRegistry()
    let log = CollectedLines()
    let deadlines = RequestDeadline()
    let load: LoadShedding

    init(
        maximumRequests: Int = 8, publicURL: String = "http://localhost:8080", seconds: Int = 10,
        origins: Set<String> = [], proxies: String? = nil, speaksTLS: Bool = false,
        mount: (Router<GatewayContext>) -> Void = { _ in }
    ) throws {
        let configuration = try Configurations.read([
            "PUBLIC_URL": publicURL, "ENVIRONMENT": "development", "REQUEST_TIMEOUT_SECONDS": String(seconds),
            "TRUSTED_PROXIES": proxies,
        ])
        let logging = LoggingConfiguration(level: .trace, format: .json)
        let sink = log.sink
        load = LoadShedding(limit: maximumRequests)
        let router = Router(context: GatewayContext.self, options: .autoGenerateHeadEndpoints)
        mount(router)
        shell = RequestShell(
            router: router,
            parts: RequestShellParts(
                server: configuration.server, speaksTLS: speaksTLS,
                logger: Logger(label: "test") { GatewayLogHandler(label: $0, configuration: logging, sink: sink) },
                registry: registry, load: load, deadlines: deadlines,
                crossOrigin: CrossOrigin { origin, _ in origins.contains(origin) },
                accessLog: AccessLog(logging, sink: sink)))
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8]? = nil,
        from peer: String? = nil
    ) async -> RequestShell.Outcome {
        var headers = headers
        if let body, headers[.transferEncoding] == nil { headers[.contentLength] = String(body.count) }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body ?? [])))
        let address = peer.flatMap { try? SocketAddress(ipAddress: $0, port: 1_024) }
        return await shell.respond(to: request, from: address)
    }
}

/// Collected log lines.
final class CollectedLines: Sendable {
    private let stream: AsyncStream<[UInt8]>
    let sink: LogSink

    init() {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        self.stream = stream
        sink = LogSink { continuation.yield($0) }
        finish = { continuation.finish() }
    }

    private let finish: @Sendable () -> Void

    /// Everything written so far; collection ends with this call.
    func text() async -> String {
        sink.flush()
        finish()
        var bytes: [UInt8] = []
        for await chunk in stream { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines as JSON.
    func json() async throws -> [JSON] {
        try await text().split(separator: "\n").map { try JSON(parsing: String($0)) }
    }
}

extension Response {
    /// The body of an answer in one part.
    var json: JSON {
        get async throws { try JSON(parsing: await bytes) }
    }

    var bytes: [UInt8] {
        get async throws {
            let collector = BodyCollector()
            try await body.write(collector)
            return collector.bytes.value
        }
    }
}

private struct BodyCollector: ResponseBodyWriter {
    let bytes = LockedBytes()

    func write(_ buffer: ByteBuffer) async throws {
        bytes.append(Array(buffer.readableBytesView))
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

private final class LockedBytes: Sendable {
    private let storage = Mutex<[UInt8]>([])
    var value: [UInt8] { storage.withLock { $0 } }
    func append(_ bytes: [UInt8]) { storage.withLock { $0 += bytes } }
}
