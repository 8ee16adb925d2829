import Foundation
import TestSupport

/// A self-signed certificate of the `openssl` command, in a folder that is deleted with this object.
final class TestCertificate: Sendable {
    var path: String { "\(folder)/certificate.pem" }
    var keyPath: String { "\(folder)/key.pem" }
    private let folder: String

    /// - Parameters:
    ///   - subject: distinguishes authorities.
    ///   - names: subject alternative names in OpenSSL's spelling, e.g. `IP:127.0.0.1`.
    static func make(
        subject: String = "test", names: String = "IP:127.0.0.1,DNS:localhost"
    ) async throws -> TestCertificate {
        let certificate = TestCertificate(folder: try makeTemporaryFolder())
        try await ChildProcess.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(subject)", "-addext", "subjectAltName=\(names)", "-keyout", certificate.keyPath,
            "-out", certificate.path,
        ])
        return certificate
    }

    /// A folder of authorities with this certificate, in OpenSSL's form with a hash of its subject.
    func asFolder() async throws -> String {
        let authorities = "\(folder)/authorities"
        try FileManager.default.createDirectory(atPath: authorities, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: path, toPath: "\(authorities)/certificate.pem")
        try await ChildProcess.run(["openssl", "rehash", authorities])
        return authorities
    }

    private init(folder: String) {
        self.folder = folder
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
