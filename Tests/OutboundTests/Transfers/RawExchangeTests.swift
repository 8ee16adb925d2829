import Foundation
import Testing

@testable import Outbound

@Suite("A raw exchange", .timeLimit(.minutes(10)))
struct RawExchangeTests {
    @Test("sends the bytes as they are, and returns everything until the server closes or pauses")
    func verbatim() async throws {
        let script: ScriptedServer.Script = {
            $0.target == "/open" ? [.answer(), .hang] : [.answer(), .answer(), .close]
        }
        try await ScriptedServer.with(script) { server in
            let exchange = try RawExchange(server.url())
            let closed = try await exchange.send(Array("GET /a HTTP/1.1\r\nX-A:  b\nX-B : c\r\n\r\n".utf8))
            #expect(String(decoding: closed, as: UTF8.self).components(separatedBy: "HTTP/1.1 200 X").count == 3)
            #expect(server.requests.first?.head == "GET /a HTTP/1.1\r\nX-A:  b\nX-B : c")
            let open = try await exchange.send(Array("GET /open HTTP/1.1\r\n\r\n".utf8))
            #expect(String(decoding: open, as: UTF8.self).hasSuffix("\r\n\r\n{}"))
        }
    }

    @Test("checks certificates, and speaks plain HTTP to local addresses alone")
    func guarded() async throws {
        let certificate = try await TestCertificate.make()
        try await TLSServer.with("https", certificate: certificate) { server in
            let (address, request) = ("https://127.0.0.1:\(server.port)", Array("GET / HTTP/1.1\r\n\r\n".utf8))
            await #expect(throws: TransferError.tlsFailed) { try await RawExchange(address).send(request) }
            let trusted = try await RawExchange(address, caBundle: certificate.path).send(request)
            #expect(String(decoding: trusted, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
        }
        #expect(throws: TransferError.addressRefused) { try RawExchange("http://192.0.2.1") }
    }
}
