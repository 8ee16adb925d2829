import Foundation
import TestSupport

@testable import HTTPServer

/// A folder with certificates and keys of the `openssl` command; it is deleted with this object.
final class CertificateFolder: Sendable {
    /// A self-signed certificate for localhost, and its key.
    struct Pair: Sendable {
        let certificate: String
        let key: String

        var files: TLSConfiguration { TLSConfiguration(certificateFile: certificate, keyFile: key) }
    }

    let path: String

    init() throws {
        path = try makeTemporaryFolder()
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Makes `NAME.pem` and `NAME.key`.
    ///
    /// - Parameter algorithm: `ec` or `rsa`.
    func pair(_ name: String = "server", algorithm: String = "ec") async throws -> Pair {
        let pair = place(name)
        try await openssl(
            ["req", "-x509", "-nodes", "-days", "2", "-newkey"]
                + (algorithm == "ec" ? ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"] : ["rsa:2048"])
                + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
                + ["-keyout", pair.key, "-out", pair.certificate])
        return pair
    }

    /// The same with given times; only `openssl ca` makes certificates of the past.
    ///
    /// - Parameters:
    ///   - begin: as `20200101000000Z`.
    ///   - end: likewise.
    func pair(_ name: String, from begin: String, to end: String) async throws -> Pair {
        let pair = place(name)
        let settings = """
            [ca]
            default_ca = here
            [here]
            database = \(path)/\(name).index
            new_certs_dir = \(path)
            rand_serial = yes
            default_md = sha256
            policy = any
            [any]
            commonName = supplied

            """
        _ = try write(settings, to: "\(name).cnf")
        _ = try write("", to: "\(name).index")
        try await openssl([
            "req", "-new", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj",
            "/CN=\(name)", "-keyout", pair.key, "-out", "\(path)/\(name).csr",
        ])
        try await openssl([
            "ca", "-batch", "-notext", "-config", "\(path)/\(name).cnf", "-selfsign", "-keyfile", pair.key, "-in",
            "\(path)/\(name).csr", "-out", pair.certificate, "-startdate", begin, "-enddate", end,
        ])
        return pair
    }

    /// Writes a file, mode 600.
    ///
    /// - Returns: its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        let done = FileManager.default.createFile(
            atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard done else { throw HarnessError("\(file) can't be written.") }
        return file
    }

    func openssl(_ arguments: [String]) async throws {
        let tool = try await Tool.run(["openssl"] + arguments)
        guard tool.exitCode == 0 else { throw HarnessError("openssl \(arguments[0]): \(tool.errors)") }
    }

    private func place(_ name: String) -> Pair {
        Pair(certificate: "\(path)/\(name).pem", key: "\(path)/\(name).key")
    }
}
