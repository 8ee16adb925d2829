import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// A bot check service in the `siteverify` format.
///
/// It accepts each token that starts with `human` once. A token that starts with `foreign` was solved on another site, and
/// one that starts with `unreadable` makes it answer without JSON.
final class SiteVerify: Sendable {
    static let secret = "0x4AAAAAAA-secret-of-the-site"
    static let siteKey = "0x4AAAAAAA-site"

    private struct State {
        var isRunning = true
        var used: Set<String> = []
        var addresses: [String] = []
    }

    private let state = Mutex(State())

    /// The caller's address in each request.
    var addresses: [String] { state.withLock { $0.addresses } }

    func stop() { state.withLock { $0.isRunning = false } }

    /// Runs a gateway that uses the service.
    static func with(
        _ changes: [String: String?] = [:], _ body: (GatewayProcess, SiteVerify) async throws -> Void
    ) async throws {
        let service = SiteVerify()
        try await withLocalServer(service.respond) { address in
            let settings: [String: String?] = [
                "BOT_CHECK_WIDGET": "turnstile", "BOT_CHECK_SITE_KEY": siteKey, "BOT_CHECK_SECRET": secret,
                "BOT_CHECK_URL": "\(address)/siteverify", "BOT_CHECK_FREE_PER_HOUR": "2",
                "TRUSTED_PROXIES": "127.0.0.1",
            ]
            try await withGateway(settings.merging(changes) { $1 }) { gateway in try await body(gateway, service) }
        }
    }

    @Sendable private func respond(_ request: Request) async throws -> Response {
        let form = try FormBody(Array(try await request.body.collect(upTo: 16_384).readableBytesView))
        let answer: JSON? = state.withLock { state in
            guard state.isRunning else { return nil }
            state.addresses.append(form["remoteip"] ?? "")
            guard form["secret"] == Self.secret else { return Self.refusal("invalid-input-secret") }
            let token = form["response"] ?? ""
            guard !token.hasPrefix("unreadable") else { return "unreadable" }
            guard token.hasPrefix("human") || token.hasPrefix("foreign") else {
                return Self.refusal("invalid-input-response")
            }
            guard state.used.insert(token).inserted else { return Self.refusal("timeout-or-duplicate") }
            let host: JSON = token.hasPrefix("human") ? "localhost" : "elsewhere.example.com"
            return ["success": true, "challenge_ts": "2026-11-26T10:00:00Z", "hostname": host, "error-codes": []]
        }
        guard let answer else { return Response(status: .internalServerError) }
        guard answer != "unreadable" else { return Response(status: .badRequest) }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(string: answer.text)))
    }

    private static func refusal(_ code: String) -> JSON { ["success": false, "error-codes": [.string(code)]] }
}

extension GatewayProcess {
    /// An app with a policy for bot checks.
    func botCheckingApp(_ policy: String) async throws -> String {
        let id = "checking-\(Fresh.text())"
        try await change(
            """
            insert into clients (id, name, providers, bot_check)
            values (\(id), 'Ducks', '{password,email_otp,google}', \(policy))
            """)
        try await poll { try await get("/login?client_id=\(id)").status == 200 ? () : nil }
        return id
    }
}
