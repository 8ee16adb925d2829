import Foundation
import Testing

@testable import GatewayClient

@Suite("Stores of tokens")
struct StoreTests {
    private func folder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("gateway-client-\(UUID().uuidString)")
    }

    @Test("A file store keeps, replaces and removes; only its user may read")
    func files() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileTokenStore(folder: folder)
        #expect(try await store.read("login.example.com/app/session") == nil)
        try await store.remove("login.example.com/app/session")
        try await store.write(Data("one".utf8), as: "login.example.com/app/session")
        try await store.write(Data("two".utf8), as: "login.example.com/app/session")
        #expect(try await store.read("login.example.com/app/session") == Data("two".utf8))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 1, "\(names)")
        for path in [folder.path, folder.appendingPathComponent(try #require(names.first)).path] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect((mode ?? 0o777) & 0o077 == 0, "\(path)")
        }
        try await store.remove("login.example.com/app/session")
        #expect(try await store.read("login.example.com/app/session") == nil)
    }

    @Test("A name can't leave the folder")
    func names() async throws {
        let folder = folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FileTokenStore(folder: folder.appendingPathComponent("inner"))
        try await store.write(Data("x".utf8), as: "../outside")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["inner"])
    }

    @Test("A record of another version counts as signed out")
    func unreadable() async throws {
        let store = MemoryTokenStore()
        await store.write(Data("{}".utf8), as: "login.example.com/app/session")
        #expect(try await Rehearsal(store: store).client.session() == nil)
    }

    @Test("No secret is in a description or a dump")
    func secrets() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        var text = ""
        let values: [Any] = [
            Credential.password(username: "ann", password: "correct horse"), StepAnswer.code("123456"), session,
            SessionTokens(
                try API.decoder.decode(TokensAnswer.self, from: try JSONEncoder().encode(Sample.tokens(1))),
                now: Date(),
                boundTo: nil),
            Nonce(value: Secret("nonce-1")), rehearsal.client,
        ]
        for value in values {
            dump(value, to: &text)
            text += "\(value)" + String(reflecting: value)
        }
        for secret in ["correct horse", "123456", "access-1", "refresh-1", "nonce-1"] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }
}
