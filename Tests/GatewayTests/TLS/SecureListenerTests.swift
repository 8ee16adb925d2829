import Foundation
import Hummingbird
import JSON
import Logging
import NIOCore
import Settings
import Testing

@testable import HTTPServer

/// HTTPS with an ordinary client, curl.
@Suite("TLS", .timeLimit(.minutes(30)))
struct SecureListenerTests {
    /// Returns the received request.
    private static let mirror: HTTPListener.Answer = { request, _ in
        let body = try? await request.body.collect(upTo: 1 << 20)
        return .init(
            response: .json([
                "authority": .string(request.head.authority ?? ""),
                "cookie": .string(request.headers[.cookie] ?? ""), "path": .string(request.head.path ?? ""),
                "bytes": .integer(body?.readableBytes ?? -1),
            ]))
    }

    private static func shell() throws -> RequestShell {
        try TestShell { router in
            router.get("hello") { _, context in Response.json(["secure": .bool(context.isSecure)]) }
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.changes(request))) }
            router.get("large") { _, _ in
                Response(status: .ok, body: .init(byteBuffer: ByteBuffer(repeating: 0x61, count: 1 << 20)))
            }
        }.shell
    }

    private static func answer() throws -> HTTPListener.Answer {
        let shell = try shell()
        return { await shell.respond(to: $0, from: $1) }
    }

    @Test(
        "both versions of TLS carry both versions of HTTP",
        arguments: ["--tls-max 1.2", "--tlsv1.3"], ["--http1.1", "--http2"])
    func versions(tls: String, http: String) async throws {
        try await SecureListener.run { server in
            let options = (tls + " " + http).split(separator: " ").map(String.init)
            let answer = try await Tool.curl(port: server.port, trusting: server.pair.certificate, options)
            #expect(answer.status == (http == "--http2" ? "HTTP/2 200" : "HTTP/1.1 200"), "\(answer.errors)")
            #expect(answer.body == #"{"a":1}"#)
        }
    }

    @Test("a client that names no protocol gets HTTP/1.1")
    func withoutALPN() async throws {
        try await SecureListener.run { server in
            let answer = try await Tool.curl(port: server.port, trusting: server.pair.certificate, ["--no-alpn"])
            #expect(answer.status == "HTTP/1.1 200", "\(answer.errors)")
        }
    }

    @Test("TLS 1.1 and older are refused by the server", arguments: ["1.0", "1.1"])
    func oldVersions(version: String) async throws {
        try await SecureListener.run { server in
            let answer = try await Tool.curl(
                port: server.port, trusting: server.pair.certificate,
                ["--tlsv\(version)", "--tls-max", version, "--ciphers", "DEFAULT@SECLEVEL=0"])
            #expect(answer.exitCode == 35)
            #expect(answer.errors.contains("alert protocol version"), "\(answer.errors)")
            #expect(answer.output == "")
        }
    }

    @Test(
        "old cipher suites need forward secrecy and authentication",
        arguments: [
            ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-CHACHA20-POLY1305", true),
            ("ECDHE-ECDSA-AES128-SHA", false), ("ECDHE-ECDSA-AES256-SHA384", false),
        ])
    func cipherSuites(suite: String, isTaken: Bool) async throws {
        try await SecureListener.run { server in
            let answer = try await Tool.curl(
                port: server.port, trusting: server.pair.certificate, ["--tls-max", "1.2", "--ciphers", suite])
            #expect((answer.exitCode == 0) == isTaken, "\(answer.errors)")
        }
    }

    @Test("plain HTTP on the TLS port gets no answer")
    func plainOnTLS() async throws {
        try await SecureListener.run { server in
            let answer = try await Tool.run([
                "curl", "--silent", "--max-time", "120", "--noproxy", "*", "http://localhost:\(server.port)/",
            ])
            #expect(answer.exitCode != 0 && answer.exitCode != 28)
            #expect(answer.output == "")
        }
    }

    @Test(
        "a request is complete over either: authority, path, cookies of several fields, body",
        arguments: [
            "--http1.1", "--http2",
        ])
    func requests(http: String) async throws {
        try await SecureListener.run(Self.mirror) { server in
            let answer = try await Tool.curl(
                port: server.port, "/a?b=c", trusting: server.pair.certificate,
                [http, "--cookie", "one=1; two=2; three=3", "--data-binary", "@input"], input: "body")
            let json = try JSON(parsing: answer.body)
            #expect(json["authority"]?.string == "localhost:\(server.port)")
            #expect(json["path"]?.string == "/a?b=c")
            #expect(json["cookie"]?.string == "one=1; two=2; three=3")
            #expect(json["bytes"]?.integer == 4)
        }
    }

    @Test("HTTP/2 may split the cookies into several fields: the handler gets them all")
    func splitCookies() async throws {
        try await SecureListener.run(Self.mirror) { server in
            var client = try await HTTP2Client(server)
            try await client.request(1, fields: [("cookie", "one=1"), ("accept", "*/*"), ("cookie", "two=2")])
            let body = try await client.answer(1).text
            #expect(try JSON(parsing: body)["cookie"]?.string == "one=1; two=2")
        }
    }

    @Test("HTTP/2 requests may have a body without a length, or none")
    func bodies() async throws {
        try await SecureListener.run(try Self.answer()) { server in
            let unannounced = try await Tool.curl(
                port: server.port, "/echo", trusting: server.pair.certificate,
                [
                    "--http2", "--request", "POST", "--header", "Content-Type: application/json", "--header",
                    "Content-Length:", "--upload-file", "input",
                ], input: #"{"a":"b"}"#)
            #expect(unannounced.status == "HTTP/2 200", "\(unannounced.output)")
            #expect(unannounced.body == #"{"a":"b"}"#)
            for method in [["--request", "GET"], ["--head"]] {
                let none = try await Tool.curl(
                    port: server.port, "/hello", trusting: server.pair.certificate, ["--http2"] + method)
                #expect(none.status == "HTTP/2 200", "\(none.output)")
                #expect(none.body == (method == ["--head"] ? "" : #"{"secure":false}"#))
            }
        }
    }

    @Test("an answer larger than the client's window arrives complete", arguments: ["--http1.1", "--http2"])
    func largeAnswer(http: String) async throws {
        try await SecureListener.run(try Self.answer()) { server in
            let answer = try await Tool.curl(
                port: server.port, "/large", trusting: server.pair.certificate, [http, "--limit-rate", "2M"])
            #expect(answer.exitCode == 0, "\(answer.errors)")
            #expect(answer.body.utf8.count == 1 << 20)
        }
    }

    @Test("a refused body ends the HTTP/1.1 connection or HTTP/2 stream after a readable answer")
    func refusedBody() async throws {
        try await SecureListener.run(try Self.answer()) { server in
            let body = String(repeating: "x", count: 200_000)
            for (http, length) in [("--http1.1", "200000"), ("--http2", "200000"), ("--http2", "")] {
                let answer = try await Tool.curl(
                    port: server.port, "/echo", trusting: server.pair.certificate,
                    [
                        http, "--header", "Expect:", "--header", "Content-Length: \(length)", "--header",
                        "Content-Type: application/json", "--data-binary", "@input",
                    ], input: body)
                #expect(answer.status.hasSuffix(" 413"), "\(answer.output) \(answer.errors)")
                #expect(answer.body.contains("body_too_large"))
                #expect(answer.header("Connection") == (http == "--http2" ? [] : ["close"]))
            }
        }
    }

    @Test("a refused body does not affect other streams of its connection")
    func streamsAreApart() async throws {
        try await SecureListener.run(try Self.answer()) { server in
            var client = try await HTTP2Client(server)
            try await client.request(1, "POST", "/echo", fields: [("content-length", "9999999")], ends: false)
            #expect(try await client.answer(1).text.contains("body_too_large"))
            // The server resets the unfinished request.
            #expect(try await client.next { $0.kind == .reset }?.stream == 1)
            try await client.request(3, "GET", "/hello")
            #expect(try await client.answer(3).isOK)
        }
    }

    @Test(
        "too many or too large header fields never reach a handler",
        arguments: [
            "--http1.1", "--http2",
        ])
    func headers(http: String) async throws {
        try await SecureListener.run { server in
            let many = (1...101).flatMap { ["--header", "X-\($0): \($0)"] }
            let tooMany = try await Tool.curl(port: server.port, trusting: server.pair.certificate, [http] + many)
            #expect(tooMany.status.hasSuffix(" 431"), "\(tooMany.output) \(tooMany.errors)")
            let large = ["--header", "X-Large: " + String(repeating: "x", count: 40_000)]
            let tooLarge = try await Tool.curl(port: server.port, trusting: server.pair.certificate, [http] + large)
            #expect(!tooLarge.status.hasSuffix(" 200"), "\(tooLarge.output) \(tooLarge.errors)")
            let fine = try await Tool.curl(port: server.port, trusting: server.pair.certificate, [http])
            #expect(fine.status.hasSuffix(" 200"), "\(fine.errors)")
        }
    }

    @Test("HTTP/2 requests without a path, or for *, are answered normally")
    func oddTargets() async throws {
        try await SecureListener.run(try Self.answer()) { server in
            var client = try await HTTP2Client(server)
            try await client.open(1, [(":method", "CONNECT"), (":authority", "localhost:443")])
            #expect(try await client.answer(1).text.contains("not_found"))
            try await client.request(3, "OPTIONS", "*")
            #expect(try await client.answer(3).text.contains("not_found"))
            try await client.request(5, "GET", "/hello")
            #expect(try await client.answer(5).isOK)
        }
    }

    @Test("an invalid certificate prevents the start")
    func noStart() throws {
        let folder = try CertificateFolder()
        let files = TLSConfiguration(certificateFile: "\(folder.path)/none.pem", keyFile: "\(folder.path)/none.key")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let error = #expect(throws: ConfigurationError.self) { _ = try ServedCertificate(files, logger: logger) }
        #expect(error?.complaints.map(\.key) == ["TLS_CERTIFICATE_FILE"])
    }
}
