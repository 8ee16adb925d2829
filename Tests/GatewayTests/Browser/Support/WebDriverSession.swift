import Foundation
import JSON
import TestSupport

/// One WebDriver session (W3C WebDriver) with chromedriver: commands in, values out.
struct WebDriverSession: Sendable {
    private let client: TestClient
    private let path: String

    /// Opens a session at the driver on `port`.
    static func open(port: Int, capabilities: JSON) async throws -> WebDriverSession {
        let client = TestClient(port: port, endsWithBody: true)
        let answer = try await call(client, "POST", "/session", ["capabilities": ["alwaysMatch": capabilities]])
        guard let id = answer["sessionId"]?.string else { throw HarnessError("The driver opened no session.") }
        return WebDriverSession(client: client, path: "/session/\(id)")
    }

    @discardableResult
    func post(_ command: String, _ body: JSON = [:]) async throws -> JSON {
        try await Self.call(client, "POST", "\(path)/\(command)", body)
    }

    func get(_ command: String) async throws -> JSON {
        try await Self.call(client, "GET", "\(path)/\(command)", nil)
    }

    func delete(_ command: String) async throws {
        _ = try await Self.call(client, "DELETE", "\(path)/\(command)", nil)
    }

    /// A command of the Chrome DevTools Protocol.
    @discardableResult
    func tools(_ command: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await post("goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }

    private static func call(
        _ client: TestClient, _ method: String, _ path: String, _ body: JSON?
    ) async throws -> JSON {
        let request = TestRequest(method, path)
        let answer = try await client.send(body.map(request.json) ?? request)
        let value = try JSON(parsing: answer.body, limits: limits)["value"] ?? .null
        guard answer.status == 200 else { throw WebDriverError(value) }
        return value
    }

    /// Screenshots and logs are long, and DevTools nests deeply.
    static let limits = JSONLimits(bytes: 32 << 20, depth: 64, members: 1_000_000, numberLength: 64, allowsNUL: true)
}

/// An error of the driver (W3C WebDriver §6.6).
struct WebDriverError: Error, CustomStringConvertible {
    let code: String
    let description: String

    init(_ value: JSON) {
        code = value["error"]?.string ?? "unknown error"
        description = "The driver says \(code): \(value["message"]?.string ?? value.text)"
    }

    /// Whether it may be gone a moment later, because the page is being replaced.
    var isPassing: Bool {
        [
            "no such element", "stale element reference", "element not interactable", "element click intercepted",
            "javascript error", "detached shadow root", "no such execution context",
        ].contains(code)
            // chromedriver names an element of the page before it so, if the page is replaced between two of its calls.
            || description.contains("does not belong to the document")
    }
}
