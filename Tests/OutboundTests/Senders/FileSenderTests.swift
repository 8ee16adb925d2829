import Foundation
import Messages
import Outbound
import Synchronization
import Testing

struct FileSenderTests {
    /// Runs the body with a temporary directory.
    func withDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("mail-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await body(directory)
    }

    func message(_ text: String) throws -> MailMessage {
        MailMessage(
            from: try MailAddress("gateway@example.com"), to: try MailAddress("ann@example.org"), subject: "Your code",
            textBody: text)
    }

    @Test("each mail is a private file, numbered in order, and is announced")
    func files() async throws {
        try await withDirectory { directory in
            let announced = Mutex<[String]>([])
            let sender = FileSender(
                directory: directory + "/mail", now: { Date(timeIntervalSince1970: 1_795_264_496.789) }
            ) { text in
                announced.withLock { $0.append(text) }
            }
            for index in 0..<12 { try await sender.send(message("code \(index)")) }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory + "/mail").sorted()
            #expect(names.count == 12)
            #expect(names.allSatisfy { $0.hasPrefix("20261121-123456.789-") && $0.hasSuffix(".eml") })
            for (index, name) in names.enumerated() {
                let path = "\(directory)/mail/\(name)"
                let text = try String(contentsOfFile: path, encoding: .utf8)
                #expect(text.hasSuffix("\r\n\r\ncode \(index)\r\n"))
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            let mode = try FileManager.default.attributesOfItem(atPath: directory + "/mail")[.posixPermissions] as? Int
            #expect(mode == 0o700)
            #expect(announced.withLock { $0.first } == "mail to ann@example.org: Your code\n  code 0\n")
        }
    }

    @Test("an announcement cannot control a terminal")
    func terminal() async throws {
        try await withDirectory { directory in
            let announced = Mutex("")
            let sender = FileSender(directory: directory) { text in announced.withLock { $0 = text } }
            try await sender.send(message("a\u{1B}[2J\u{9B}31m\u{7}b\r\nc"))
            #expect(announced.withLock { $0 } == "mail to ann@example.org: Your code\n  a [2J 31m b\n  c\n")
        }
    }

    @Test("a directory that cannot be created is an error")
    func unwritable() async throws {
        let sender = FileSender(directory: "/dev/null/mail") { _ in }
        let message = try message("x")
        await #expect(throws: DeliveryError.notStored(folder: "/dev/null/mail")) { try await sender.send(message) }
    }
}
