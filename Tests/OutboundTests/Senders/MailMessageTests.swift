import Foundation
import Messages
import Outbound
import Testing

struct MailMessageTests {
    func message(
        subject: String = "Hello", text: String = "body", html: String? = nil, name: String = ""
    ) throws -> MailMessage {
        MailMessage(
            from: try MailAddress("gateway@example.com", name: name), to: try MailAddress("ann@example.org"),
            subject: subject, textBody: text, htmlBody: html)
    }

    func lines(_ message: MailMessage, id: String = "1@example.com") -> [String] {
        // 21 November 2026, 12:34:56 UTC, a Saturday.
        let bytes = message.rendered(date: Date(timeIntervalSince1970: 1_795_264_496), messageID: id)
        return String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    }

    @Test("a plain mail has exactly these bytes")
    func plain() throws {
        #expect(
            lines(try message()) == [
                "Date: Sat, 21 Nov 2026 12:34:56 +0000",
                "From: <gateway@example.com>",
                "To: <ann@example.org>",
                "Subject: Hello",
                "Message-ID: <1@example.com>",
                "MIME-Version: 1.0",
                "Auto-Submitted: auto-generated",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable",
                "",
                "body",
                "",
            ])
    }

    @Test("text and HTML are alternatives, and the text is first")
    func alternatives() throws {
        let lines = lines(try message(text: "plain", html: "<b>=_alternative</b>\n--=_alternative--"))
        #expect(lines.contains("Content-Type: multipart/alternative; boundary=\"=_alternative\""))
        #expect(
            lines.suffix(13) == [
                "--=_alternative", "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable", "",
                "plain",
                "--=_alternative", "Content-Type: text/html; charset=utf-8",
                "Content-Transfer-Encoding: quoted-printable", "",
                "<b>=3D_alternative</b>", "--=3D_alternative--",
                "--=_alternative--", "",
            ])
    }

    @Test(
        "no text can add a header or end the headers",
        arguments: [
            "x\r\nBcc: evil@example.com", "x\nBcc: evil@example.com", "x\rBcc: e@e", "x\r\n\r\nbody", "x\u{2028}Bcc: e",
            "x\u{85}Bcc: e", "x\u{0}",
        ])
    func injection(text: String) throws {
        let lines = lines(try message(subject: text, name: text), id: text + "@example.com>\r\nBcc: evil@example.com")
        let head = lines.prefix { !$0.isEmpty }
        #expect(!head.contains { $0.lowercased().hasPrefix("bcc") })
        #expect(head.filter { !$0.hasPrefix(" ") }.count == 9)
        #expect(lines.joined().utf8.allSatisfy { 0x20 <= $0 && $0 <= 0x7E })
    }

    @Test(
        "a subject decodes to its original text (RFC 2047)",
        arguments: [
            "Ihr Bestätigungscode", "確認コード: 123456", "=?UTF-8?B?eA==?=", " leading and trailing ", "👩‍👩‍👧‍👦 family",
            String(repeating: "ü", count: 300), String(repeating: "long words ", count: 30),
        ])
    func subject(text: String) throws {
        let lines = lines(try message(subject: text))
        let start = try #require(lines.firstIndex { $0.hasPrefix("Subject: ") })
        let folded =
            [String(lines[start].dropFirst(9))]
            + lines[(start + 1)...].prefix { $0.hasPrefix(" ") }.map { String($0.dropFirst()) }
        var decoded = Data()
        for word in folded {
            #expect(word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?=") && word.utf8.count <= 75)
            let bytes = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
            // Each encoded word contains whole characters.
            #expect(String(data: bytes, encoding: .utf8) != nil)
            decoded += bytes
        }
        #expect(Array(decoded) == Array(text.utf8))
    }

    @Test("every line is ASCII of at most 78 bytes, for every text")
    func lineLengths() throws {
        let text = String(repeating: "ä=x ", count: 1000) + "\r\n" + String(repeating: "y", count: 5000) + "\u{0}\u{7F}"
        let lines = lines(try message(subject: text, text: text, html: text, name: text))
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        #expect(lines.joined().utf8.allSatisfy { 0x20 <= $0 && $0 <= 0x7E })
    }

    @Test(
        "quoted-printable (RFC 2045 §6.7)",
        arguments: [
            ("a=b", ["a=3Db"]), ("trailing ", ["trailing=20"]), ("tab\t", ["tab=09"]), ("in side", ["in side"]),
            ("é", ["=C3=A9"]), (".", ["=2E"]), ("From x", ["=46rom x"]), ("a\nb", ["a", "b"]), ("a\r\nb", ["a", "b"]),
            ("a\rb", ["a", "b"]), ("a\n\nb", ["a", "", "b"]), ("", [""]), ("\u{0}", ["=00"]),
            (String(repeating: "x", count: 75), [String(repeating: "x", count: 75)]),
            (String(repeating: "x", count: 76), [String(repeating: "x", count: 75) + "=", "x"]),
            (String(repeating: "x", count: 74) + "é", [String(repeating: "x", count: 74) + "=", "=C3=A9"]),
            (String(repeating: "x", count: 75) + ".", [String(repeating: "x", count: 75) + "=", "=2E"]),
        ])
    func quotedPrintable(text: String, expected: [String]) throws {
        let body = lines(try message(text: text)).drop { !$0.isEmpty }.dropFirst().dropLast()
        #expect(Array(body) == expected)
    }

    @Test(
        "dates of all kinds",
        arguments: [
            (0, "Thu, 1 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 +0000"), (1_709_251_200, "Fri, 1 Mar 2024 00:00:00 +0000"),
            (4_107_542_400, "Mon, 1 Mar 2100 00:00:00 +0000"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 +0000"),
            (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
        ])
    func dates(seconds: Int, expected: String) throws {
        let bytes = try message().rendered(date: Date(timeIntervalSince1970: Double(seconds)), messageID: "x@y")
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("Date: \(expected)\r\n"))
    }
}

struct MailAddressTests {
    @Test(
        "ordinary addresses are accepted",
        arguments: ["a@b", "ann.o'hara+x@mail.example.com", "x_y-z@xn--bcher-kva.example", "A@B.C"])
    func accepted(text: String) throws {
        #expect(try MailAddress(text).address == text)
    }

    @Test(
        "a text that is or may be more than one address is refused",
        arguments: [
            "", "@", "a@", "@b", "a", "a@b@c", "a@b\r\nRCPT TO:<c@d>", "a@b\n", "a\n@b", "a@b>", "<a@b>", "a@b,c@d",
            "a b@c",
            "a@b c", "a@[127.0.0.1]", "\"a b\"@c", ".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b..c", "a@-b", "ä@b",
            "a@bü", "a\u{0}@b",
            "a(c)@b", "a:b@c", "a;b@c", String(repeating: "a", count: 65) + "@b",
            "a@" + String(repeating: "b.", count: 127) + "c",
        ])
    func refused(text: String) {
        #expect(throws: DeliveryError.invalidMessage("address")) { try MailAddress(text) }
    }
}
