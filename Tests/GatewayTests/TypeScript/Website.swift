import Foundation
import TestSupport
import Testing

/// A website on another port than the gateway, which uses the TypeScript library: started by the first test that needs
/// it, stopped after the last.
actor Website {
    private static let shared = Website()
    /// Chosen once: the gateway has to know the origin before the website starts.
    private static let port = Result { try FreePort.choose() }

    private var holders = 0
    private var starting: Task<ChildProcess, any Error>?

    static var origin: String { get throws { "http://localhost:\(try port.get())" } }

    /// Runs `body` while the website is served.
    static func run(_ gateway: GatewayProcess, _ body: () async throws -> Void) async throws {
        try await shared.acquire(gateway)
        do {
            try await body()
        } catch {
            await shared.release()
            throw error
        }
        await shared.release()
    }

    private func acquire(_ gateway: GatewayProcess) async throws {
        holders += 1
        let task = starting ?? Task { try await Self.start(for: gateway) }
        starting = task
        do {
            _ = try await task.value
        } catch {
            await release()
            throw error
        }
    }

    private func release() async {
        holders -= 1
        guard holders == 0, let task = starting else { return }
        starting = nil
        if let server = try? await task.value { await server.kill9() }
    }

    private static func start(for gateway: GatewayProcess) async throws -> ChildProcess {
        try await TypeScript.build()
        let script = TypeScript.folder.appending(path: "live/site.mjs").path
        let server = try ChildProcess(
            "/usr/bin/env", ["node", script, "\(try port.get())", "http://localhost:\(gateway.port)"])
        do {
            try await poll(within: .seconds(60)) {
                if server.exitCode != nil { throw HarnessError("The website ended: \(server.errors)") }
                return server.output.contains("listening") ? () : nil
            }
        } catch {
            await server.kill9()
            throw error
        }
        return server
    }
}

extension Trait where Self == GatewayTrait {
    /// A gateway for browsers whose first client is the website; an account has the usual number of tries.
    static var gatewayForWebsite: Self {
        .gateway(
            gate: .browsedGateways,
            changes: { deployment in
                let origin = try Website.origin
                return try GatewayTrait.gatewayForBrowsers.changes(deployment).merging([
                    "CLIENT_ORIGINS": origin, "CLIENT_GUESTS": "true",
                    "CLIENT_REDIRECT_URIS": "\(origin)/,\(origin)/cookie.html",
                    "PASSKEY_ORIGINS": origin,
                    "THROTTLE_ACCOUNT_BURST": nil, "THROTTLE_ACCOUNT_PER_HOUR": nil,
                ]) { $1 }
            })
    }
}
