import Foundation
import JSON
import TestSupport
import Testing

extension GatewayProcess {
    /// A password outside every list.
    static let password = "grey heron over the weir 41"

    /// Starts a sign-up; returns its flow.
    func beginSignUp(_ email: String, password: String = GatewayProcess.password, app: String = "app") async throws
        -> String
    {
        let answer = try await post(
            "/v1/sign-up", ["client_id": .string(app), "username": .string(email), "password": .string(password)])
        try #require(answer.json["next_step"]?["type"] == "confirm_sign_up", "\(answer.text)")
        return try #require(answer.json["flow"]?.string)
    }

    /// Creates a password account with an address proved by the mailed code, and signs in to it.
    func signUp(_ email: String, password: String = GatewayProcess.password, app: String = "app") async throws
        -> SignedInAnswer
    {
        let flow = try await beginSignUp(email, password: password, app: app)
        let code = try await mailedCode(to: email)
        return try SignedInAnswer(
            try await post("/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]]))
    }

    /// The code in the newest mail to an address that has one.
    func mailedCode(to email: String) async throws -> String {
        try await poll { self.mails(to: email).compactMap(\.code).last }
    }

    /// The mails to an address, oldest first.
    func mails(to email: String) -> [TestMail] {
        let folder = "\(deployment.folder)/mail"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            $0.hasSuffix(".eml")
        }.sorted()
        // By bytes first: a test asks many times, and the folder has the mails of the whole suite.
        return names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
            .filter { !email.utf8.allSatisfy { $0 < 0x80 } || $0.range(of: Data(email.utf8)) != nil }
            .map { TestMail(text: String(decoding: $0, as: UTF8.self)) }.filter { $0.recipient.contains(email) }
    }
}

/// A mail as sent.
struct TestMail: Sendable {
    /// The whole message (RFC 5322).
    let text: String

    var recipient: String { header("To") }
    var subject: String { header("Subject") }
    var sender: String { header("From") }
    var messageID: String { header("Message-ID") }

    /// The whole message with line feeds only, without quoted-printable (RFC 2045 §6.7).
    var decoded: String {
        let unfolded = Array(text.replacing("\r\n", with: "\n").replacing("=\n", with: "").utf8)
        var (bytes, next) = ([UInt8](), 0)
        while next < unfolded.count {
            let digits = unfolded[next...].dropFirst().prefix(2)
            if unfolded[next] == UInt8(ascii: "="), let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                next += 3
            } else {
                bytes.append(unfolded[next])
                next += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The six digits at the beginning of a subject.
    var code: String? {
        let digits = subject.prefix { $0.isASCII && $0.isNumber }
        return digits.count == 6 ? String(digits) : nil
    }

    /// A header without folding and encoded words (RFC 2047, UTF-8 in Base64).
    private func header(_ name: String) -> String {
        let lines = text.utf8.split { [10, 13].contains($0) }.map(Substring.init)
        guard let first = lines.firstIndex(where: { $0.hasPrefix("\(name): ") }) else { return "" }
        let folds = lines[(first + 1)...].prefix { $0.hasPrefix(" ") }
        let pieces = ([lines[first].dropFirst(name.count + 2)] + folds.map { $0.dropFirst() }).map(String.init)
        let words = pieces.map { piece in
            guard piece.hasPrefix("=?UTF-8?B?"), piece.hasSuffix("?=") else { return nil as String? }
            return Data(base64Encoded: String(piece.dropFirst(10).dropLast(2))).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        return words.contains { $0 == nil } ? pieces.joined(separator: " ") : words.compactMap(\.self).joined()
    }
}
