import Hummingbird
import Logging
import NIOCore

/// Runs `body` with the address of a local server that passes every request to `respond`.
func withLocalServer(
    _ respond: @escaping @Sendable (Request) async throws -> Response, _ body: (String) async throws -> Void
) async throws {
    let (ready, continuation) = AsyncStream.makeStream(of: Int.self)
    let responder = CallbackResponder<BasicRequestContext> { request, _ in try await respond(request) }
    let application = Application(
        responder: responder, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { channel in
            continuation.yield(channel.localAddress?.port ?? 0)
            continuation.finish()
        }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try? await application.run() }
        for await port in ready { try await body("http://127.0.0.1:\(port)") }
        group.cancelAll()
    }
}
