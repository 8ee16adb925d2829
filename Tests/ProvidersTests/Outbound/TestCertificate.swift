import Foundation

/// A self-signed certificate made by the `openssl` command, in a directory that goes with this object.
final class TestCertificate: Sendable {
    let path: String
    let keyPath: String
    private let directory: URL

    /// - Parameter names: subject alternative names in OpenSSL's spelling, e.g. `IP:127.0.0.1`.
    static func make(names: String = "IP:127.0.0.1,DNS:localhost") async throws -> TestCertificate {
        try await onOwnThread { try TestCertificate(names: names) }
    }

    private init(names: String) throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        path = directory.appendingPathComponent("certificate.pem").path
        keyPath = directory.appendingPathComponent("key.pem").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", keyPath, "-out", path,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TLSServer.Failure(description: "openssl made no certificate: is the openssl command installed?")
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }
}
