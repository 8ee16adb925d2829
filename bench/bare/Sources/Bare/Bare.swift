import Hummingbird
import Logging

/// Answers `GET /` with a small JSON text that was made beforehand: `Bare PORT`.
@main
struct Bare {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8082
        let body = ByteBuffer(string: #"{"status":"signed_in","expires_in":600}"#)
        let router = Router()
        router.get("/") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .warning
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }
}
