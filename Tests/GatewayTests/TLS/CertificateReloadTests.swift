import Foundation
import JSON
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Certificate reload", .timeLimit(.minutes(30)))
struct CertificateReloadTests {
    private static let request = Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8)

    /// Waits until new connections get the certificate.
    private static func isServed(_ certificate: String, by server: SecureListener) async throws {
        try await poll(within: .seconds(30)) {
            try await Tool.curl(port: server.port, trusting: certificate).exitCode == 0 ? () : nil
        }
    }

    private static func copy(_ pair: CertificateFolder.Pair, over target: CertificateFolder.Pair) throws {
        for (from, to) in [(pair.certificate, target.certificate), (pair.key, target.key)] {
            try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
        }
    }

    @Test("new connections get the new certificate, and open ones continue")
    func replaced() async throws {
        try await SecureListener.run { server in
            let next = try await server.folder.pair("next")
            var first = try await SecureClient(
                port: server.port, trusting: server.pair.certificate, protocols: ["http/1.1"])
            var second = try await HTTP2Client(server)
            for stream: UInt32 in [1, 3] {
                try await first.send(Self.request)
                #expect(await first.receive(until: #"{"a":1}"#) != nil)
                try await second.request(stream)
                #expect(try await second.answer(stream).isOK)
                if stream == 1 { try Self.copy(next, over: server.pair) }
                try await Self.isServed(next.certificate, by: server)
            }
            // A check between the two copies reports a certificate without its key.
            let replaced = try server.log.lines.filter { $0["message"]?.string == "the certificate was replaced" }
            #expect(replaced.count == 1)
            #expect(replaced.first?["expires"]?.string?.hasSuffix("Z") == true)
        }
    }

    @Test("an invalid pair is reported once, and the old one stays until a valid one arrives")
    func badPair() async throws {
        try await SecureListener.run { server in
            let old = try await server.folder.pair("old")
            try Self.copy(server.pair, over: old)
            let next = try await server.folder.pair("next")
            // The certificate without its key, as after an interrupted renewal.
            try Data(contentsOf: URL(filePath: next.certificate)).write(to: URL(filePath: server.pair.certificate))
            try await poll(within: .seconds(30)) { try server.log.lines.isEmpty ? nil : () }
            // Several checks of the same files.
            try await Task.sleep(for: .milliseconds(200))
            #expect(try await Tool.curl(port: server.port, trusting: old.certificate).status == "HTTP/2 200")
            try Self.copy(next, over: server.pair)
            try await Self.isServed(next.certificate, by: server)
            let lines = try server.log.lines
            #expect(
                lines.map { $0["message"]?.string } == [
                    "a new certificate is of no use, the old one stays", "the certificate was replaced",
                ])
            #expect(lines.first?["key"]?.string == "TLS_KEY_FILE")
            #expect(lines.first?["level"]?.string == "error")
        }
    }

    @Test("files that disappear for a moment and return with new content are used")
    func removed() async throws {
        try await SecureListener.run { server in
            let next = try await server.folder.pair("next")
            for file in [server.pair.certificate, server.pair.key] { try FileManager.default.removeItem(atPath: file) }
            try await poll(within: .seconds(30)) { try server.log.lines.isEmpty ? nil : () }
            try Self.copy(next, over: server.pair)
            try await Self.isServed(next.certificate, by: server)
        }
    }

    @Test("a link moved to another folder, as Kubernetes and certbot do it, is followed")
    func link() async throws {
        let folder = try CertificateFolder()
        let manager = FileManager.default
        for name in ["first", "second"] {
            try manager.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: false)
            _ = try await folder.pair("\(name)/tls")
        }
        let live = "\(folder.path)/live"
        try manager.createSymbolicLink(atPath: live, withDestinationPath: "first")
        let files = TLSConfiguration(certificateFile: "\(live)/tls.pem", keyFile: "\(live)/tls.key")
        try await SecureListener.run(files: files) { server in
            try await Self.isServed("\(folder.path)/first/tls.pem", by: server)
            try manager.createSymbolicLink(atPath: "\(live).new", withDestinationPath: "second")
            // One system call, unlike FileManager's move.
            #expect(unsafe rename("\(live).new", live) == 0)
            try await Self.isServed("\(folder.path)/second/tls.pem", by: server)
            #expect(
                try await Tool.curl(port: server.port, trusting: "\(folder.path)/first/tls.pem").exitCode == 60)
        }
    }
}
