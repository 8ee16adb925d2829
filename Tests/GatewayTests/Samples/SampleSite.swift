import Foundation
import TestSupport
import Testing

/// `samples/web`, served as its README says, at addresses of this run.
enum SampleSite {
    /// Chosen once: the gateway and the page have to know the origins before the servers start.
    private static let ports = Result { (site: try FreePort.choose(), api: try FreePort.choose()) }

    static var origin: String { get throws { "http://localhost:\(try ports.get().site)" } }

    /// Runs `body` in a browser at the page, while the site and `samples/api` are served.
    static func visit(_ body: (GatewayProcess, Browser) async throws -> Void) async throws {
        let gateway = try GatewayProcess.current
        let folder = try await copy(for: gateway)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let server = try ChildProcess(
            "/usr/bin/env",
            ["python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "\(try ports.get().site)"])
        do {
            try await SampleAPIProcess.run(
                issuer: gateway.issuer, website: try origin, port: try ports.get().api
            ) { _ in
                let site = TestClient(port: try ports.get().site)
                try await poll { (try? await site.send(TestRequest("GET", "/")))?.status == 200 ? () : nil }
                try await Browser.run(gateway) { browser in
                    try await browser.visit(try origin + "/")
                    try await body(gateway, browser)
                }
            }
        } catch {
            await server.kill9()
            throw error
        }
        await server.kill9()
    }

    /// The files with this run's addresses, and the built library.
    private static func copy(for gateway: GatewayProcess) async throws -> String {
        try await TypeScript.build()
        let folder = try makeTemporaryFolder()
        for name in ["index.html", "app.js", "style.css"] {
            let text = try Pages.text("samples/web/\(name)").replacing("http://localhost:8080", with: gateway.issuer)
                .replacing("http://localhost:8090", with: "http://localhost:\(try ports.get().api)")
                .replacing("http://localhost:3000", with: try origin)
            try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
        }
        try FileManager.default.copyItem(
            atPath: TypeScript.folder.appending(path: "dist/login-gateway.js").path,
            toPath: "\(folder)/login-gateway.js")
        return folder
    }
}

extension Trait where Self == GatewayTrait {
    /// A gateway for browsers with `samples/web` as its first client.
    static var gatewayForSampleSite: Self {
        .gateway(
            gate: .browsedGateways,
            changes: { deployment in
                let origin = try SampleSite.origin
                return try GatewayTrait.gatewayForBrowsers.changes(deployment).merging([
                    "CLIENT_ORIGINS": origin, "CLIENT_REDIRECT_URIS": "\(origin)/",
                ]) { $1 }
            })
    }
}
