import Foundation
import JSON
import TestSupport

/// A mail server with STARTTLS, a login and its own certificate, that stores its mails.
final class MailServer: Sendable {
    static let user = "gateway"
    static let password = "mail-password-of-the-gateway"

    let port: Int
    private let folder: String
    private let process: ChildProcess

    private init(port: Int, folder: String, process: ChildProcess) {
        (self.port, self.folder, self.process) = (port, folder, process)
    }

    private var script: String { "\(folder)/mail-script" }

    /// The settings of a gateway that sends its mail here.
    var configuration: [String: String?] {
        [
            "SMTP_HOST": "127.0.0.1", "SMTP_PORT": "\(port)", "SMTP_SECURITY": "starttls", "SMTP_USER": Self.user,
            "SMTP_PASSWORD": Self.password, "SMTP_CA_FILE": "\(folder)/mail-certificate.pem",
            "MAIL_FROM": "login@example.com", "MAIL_DIRECTORY": nil,
        ]
    }

    /// Starts one with its files in that folder.
    static func start(in folder: String) async throws -> MailServer {
        try await ChildProcess.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/mail-key.pem",
            "-out", "\(folder)/mail-certificate.pem",
        ])
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../OutboundTests/tls_server.py").path
        _ = FileManager.default.createFile(atPath: "\(folder)/mail-script", contents: nil)
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", script, "--mode", "starttls", "--certificate", "\(folder)/mail-certificate.pem",
                "--key", "\(folder)/mail-key.pem", "--user", "\(user):\(password)", "--script", "\(folder)/mail-script",
            ], takesInput: true)
        let port = try await poll { () throws -> Int? in
            if process.exitCode != nil { throw HarnessError("The mail server didn't start: \(process.errors)") }
            return process.lines.first.flatMap { Int($0) }
        }
        return MailServer(port: port, folder: folder, process: process)
    }

    /// The mails that arrived over TLS after a login, oldest first.
    var mails: [TestMail] {
        process.lines.compactMap { try? JSON(parsing: $0) }
            .filter { event in
                event["event"]?.string == "mail" && event["encrypted"]?.bool == true
                    && event["user"]?.string == Self.user
            }
            .map { event in
                let lines: [String] = event["lines"]?.array?.compactMap(\.string) ?? []
                return TestMail(text: lines.joined(separator: "\n"))
            }
    }

    /// Changes the next answers, in order: `RCPT 451 later`, `MESSAGE drop`, `GREETING hang`.
    func answerNext(_ lines: String...) throws {
        try lines.map { "\($0)\n" }.joined().write(toFile: script, atomically: true, encoding: .utf8)
    }

    /// Returns after the last configured answer.
    func gaveAnswers() async throws {
        _ = try await poll { try String(contentsOfFile: script, encoding: .utf8).isEmpty ? () : nil }
    }

    /// The code in the newest mail to an address that has one.
    func code(to email: String) async throws -> String {
        try await poll { self.mails.filter { $0.recipient.contains(email) }.compactMap(\.code).last }
    }

    /// Returns when the server has stopped listening.
    func stop() async throws {
        // The server ends with its input.
        process.closeInput()
        await process.terminate()
    }
}
