import Foundation
import JSON

/// A mail server with STARTTLS and a login, and a certificate of its own, that keeps what it is given.
final class MailServer: Sendable {
    static let user = "gateway"
    static let password = "mail-password-of-the-gateway"

    let port: Int
    private let folder: String
    private let process: Process
    /// The server ends when its input does.
    private let input: FileHandle

    private init(port: Int, folder: String, process: Process, input: FileHandle) {
        (self.port, self.folder, self.process, self.input) = (port, folder, process, input)
    }

    /// What a gateway has to be told to send its mail here.
    var configuration: [String: String?] {
        [
            "SMTP_HOST": "127.0.0.1", "SMTP_PORT": "\(port)", "SMTP_SECURITY": "starttls", "SMTP_USER": Self.user,
            "SMTP_PASSWORD": Self.password, "SMTP_CA_FILE": "\(folder)/mail-certificate.pem",
            "MAIL_FROM": "login@example.com", "MAIL_DIRECTORY": nil,
        ]
    }

    /// Starts one; its files are in that folder.
    static func start(in folder: String) async throws -> MailServer {
        let arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2",
            "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/mail-key.pem",
            "-out", "\(folder)/mail-certificate.pem",
        ]
        let (openssl, _) = try run(arguments, report: "\(folder)/openssl-report")
        guard try await poll(within: .seconds(60), { openssl.isRunning ? nil : openssl.terminationStatus }) == 0 else {
            throw HarnessError("openssl made no certificate: is the openssl command installed?")
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../ProvidersTests/Support/tls_server.py").path
        _ = FileManager.default.createFile(atPath: "\(folder)/mail-script", contents: nil)
        let (process, input) = try run(
            [
                "python3", script, "--mode", "starttls", "--certificate", "\(folder)/mail-certificate.pem",
                "--key", "\(folder)/mail-key.pem", "--user", "\(user):\(password)", "--script", "\(folder)/mail-script",
            ], report: "\(folder)/mail-report")
        let port = try await poll(within: .seconds(60)) { () throws -> Int? in
            guard process.isRunning else { throw HarnessError("The mail server didn't start: is python3 installed?") }
            return lines(of: "\(folder)/mail-report").first.flatMap { Int($0) }
        }
        return MailServer(port: port, folder: folder, process: process, input: input)
    }

    /// The mails that came over TLS from somebody who logged in, oldest first.
    var mails: [TestMail] {
        Self.lines(of: "\(folder)/mail-report").compactMap { try? JSON(parsing: $0) }
            .filter { $0["event"] == "mail" && $0["encrypted"] == true && $0["user"]?.string == Self.user }
            .map { TestMail(text: ($0["lines"]?.array ?? []).compactMap(\.string).joined(separator: "\n")) }
    }

    /// Answers otherwise at the next chances, in turn: `RCPT 451 later`, `MESSAGE drop`, `GREETING hang`.
    func answerNext(_ lines: String...) throws {
        try lines.map { "\($0)\n" }.joined().write(toFile: "\(folder)/mail-script", atomically: true, encoding: .utf8)
    }

    /// Returns when it has given all the answers that it was told.
    func gaveAnswers() async throws {
        _ = try await poll { Self.lines(of: "\(folder)/mail-script").isEmpty ? () : nil }
    }

    /// The code in the newest mail to an address that has one.
    func code(to email: String) async throws -> String {
        try await poll { self.mails.filter { $0.recipient.contains(email) }.compactMap(\.code).last }
    }

    /// Returns when nobody listens any more.
    func stop() async throws {
        try? input.close()
        if process.isRunning { process.terminate() }
        _ = try await poll { process.isRunning ? nil : () }
    }

    private static func lines(of file: String) -> [String] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        // The last piece may be half written.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private static func run(_ arguments: [String], report: String) throws -> (Process, FileHandle) {
        guard FileManager.default.createFile(atPath: report, contents: nil),
            let output = FileHandle(forWritingAtPath: report)
        else { throw HarnessError("\(report) can't be written.") }
        let (process, input) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process, input.fileHandleForWriting)
    }
}
