import JSON
import TestSupport
import Testing

@testable import Clients

@Suite("Origins of the developer's own machine")
struct LocalOriginTests {
    private static let local = [
        "http://localhost", "http://localhost:5173", "https://localhost:5173", "http://127.0.0.1:3000",
        "http://[::1]:3000",
    ]

    @Test("Every port of this machine's names is local", arguments: local)
    func isLocal(origin: String) { #expect(LocalOrigin.matches(origin)) }

    @Test(
        "Another host, or another spelling than a browser's, is not",
        arguments: [
            "", "null", "http://localhost.evil.example", "https://evil.example", "http://localhost:5173/",
            "http://evil@localhost", "http://LOCALHOST:1", "http://127.0.0.2:3000", "file://localhost",
            "http://localhost:0", "http://localhost:5173.evil.example",
        ])
    func isForeign(origin: String) { #expect(!LocalOrigin.matches(origin)) }

    @Test("Only a registry for development takes them, for apps and never for administration")
    func registry() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: [])
            for (id, audiences) in [("shop", ["account"]), ("console", ["account", "administration"])] {
                _ = try await desk.create(
                    id, ClientChange(["providers": [], "audiences": .array(audiences.map { .string($0) })]),
                    isConfidential: false, because: People.reason, by: People.commandLine)
            }
            for isDevelopment in [true, false] {
                let clients = ClientRegistry(
                    pool: people.database.pool, keys: try People.keys, takesLocalOrigins: isDevelopment,
                    logger: .silent)
                try await clients.reload()
                let origin = "http://localhost:5173"
                #expect(clients.allows(origin: origin) == isDevelopment)
                #expect(clients.allows(origin: origin, path: "/v1/sign-in") == isDevelopment)
                #expect(clients.allows(origin: origin, path: "/v1/account") == isDevelopment)
                #expect(clients.client("shop")?.takes(origin: origin) == isDevelopment)
                #expect(!clients.allows(origin: origin, path: "/admin/api/v1/accounts"))
                #expect(clients.client("console")?.takes(origin: origin) == false)
                #expect(!clients.allows(origin: "https://shop.example"))
            }
        }
    }
}
