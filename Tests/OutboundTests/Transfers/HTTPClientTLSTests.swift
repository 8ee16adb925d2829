import TestSupport
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(10)))
struct HTTPClientTLSTests {
    @Test(
        "a certificate of a configured authority is trusted, and the connection is reused",
        arguments: ["TLSv1_2", "TLSv1_3"])
    func trusted(version: String) async throws {
        let certificate = try await TestCertificate.make()
        let client = LocalClient(caBundle: certificate.path)
        try await TLSServer.with("https", certificate: certificate, arguments: ["--maximum-version", version]) {
            server in
            for _ in 0..<3 {
                let response = try await client.send(.get("https://127.0.0.1:\(server.port)/"))
                #expect(response.status == 200)
            }
            await client.shutdown()
            let requests = try await server.finish().filter { $0.event == "request" }
            #expect(requests.count == 3)
        }
    }

    @Test("an untrusted certificate is refused")
    func untrusted() async throws {
        let certificate = try await TestCertificate.make()
        try await TLSServer.with("https", certificate: certificate) { server in
            await #expect(throws: TransferError.tlsFailed) {
                try await LocalClient(caBundle: nil).send(.get("https://127.0.0.1:\(server.port)/"))
            }
            let events = try await server.finish()
            #expect(!events.contains { $0.event == "request" })
        }
    }

    @Test("a certificate for another name is refused")
    func otherName() async throws {
        let certificate = try await TestCertificate.make(names: "DNS:other.example")
        try await TLSServer.with("https", certificate: certificate) { server in
            await #expect(throws: TransferError.tlsFailed) {
                try await LocalClient(caBundle: certificate.path).send(.get("https://127.0.0.1:\(server.port)/"))
            }
        }
    }

    @Test("TLS 1.1 is refused")
    func oldVersion() async throws {
        let certificate = try await TestCertificate.make()
        try await TLSServer.with("https", certificate: certificate, arguments: ["--maximum-version", "TLSv1_1"]) {
            server in
            await #expect(throws: TransferError.tlsFailed) {
                try await LocalClient(caBundle: certificate.path).send(.get("https://127.0.0.1:\(server.port)/"))
            }
        }
    }

    @Test("plain HTTP in place of TLS is refused")
    func plainServer() async throws {
        try await ScriptedServer.with({ _ in [.answer()] }) { server in
            let certificate = try await TestCertificate.make()
            var request = HTTPRequest.get("https://127.0.0.1:\(server.port)/")
            request.deadline = .seconds(1)
            let error = await #expect(throws: TransferError.self) {
                try await LocalClient(caBundle: certificate.path).send(request)
            }
            // The server waits for a line end that TLS never sends.
            #expect(error == .connectTimedOut || error == .tlsFailed)
        }
    }

    @Test("an unreadable bundle fails every request instead of trusting all servers")
    func missingBundle() async throws {
        let certificate = try await TestCertificate.make()
        try await TLSServer.with("https", certificate: certificate) { server in
            await #expect(throws: TransferError.tlsFailed) {
                try await LocalClient(caBundle: "/nowhere/ca.pem").send(.get("https://127.0.0.1:\(server.port)/"))
            }
        }
    }
}
