import Cryptography
import Foundation
import JSON
import Logging
import Testing
import Vocabulary

@testable import HTTPServer
@testable import Telemetry

private struct Held: CustomStringConvertible, Sendable {
    let secret: Secret
    var description: String { "\(secret)" }
}

@Suite("The log")
struct LogTests {
    private static func lines(
        _ format: LogFormat, level: Logger.Level = .trace, _ write: (Logger) -> Void
    ) async -> String {
        let lines = CollectedLines()
        let configuration = LoggingConfiguration(level: level, format: format)
        write(Logger(label: "test") { GatewayLogHandler(label: $0, configuration: configuration, sink: lines.sink) })
        return await lines.text()
    }

    @Test("a JSON line is one object with time, level, logger, message and metadata")
    func json() async throws {
        let text = await Self.lines(.json) { logger in
            logger.notice(
                "a \"quoted\"\nmessage", metadata: ["request_id": "r1", "list": ["a", "b"], "map": ["k": "v"]])
        }
        #expect(text.hasSuffix("}\n"))
        let line = try JSON(parsing: String(text.dropLast()))
        #expect(line["level"] == "notice")
        #expect(line["logger"] == "test")
        #expect(line["message"] == "a \"quoted\"\nmessage")
        #expect(line["request_id"] == "r1")
        #expect(line["list"] == ["a", "b"])
        #expect(line["map"] == ["k": "v"])
        #expect(line["time"]?.string?.hasSuffix("Z") == true)
    }

    @Test("a text line stays one line, with any content", arguments: LogFormat.allCases)
    func oneLine(format: LogFormat) async {
        let text = await Self.lines(format) { logger in
            logger.info("first\nINFO forged\r", metadata: ["a": "b\nc\u{1B}[2J"])
        }
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(!text.utf8.dropLast().contains { $0 < 0x20 })
    }

    @Test("A-04: secrets are covered", arguments: LogFormat.allCases)
    func secrets(format: LogFormat) async {
        let text = await Self.lines(format) { logger in
            let secret = Secret("hush-1")
            logger.info(
                "token eyJhbGciOiJFUzI1NiJ9.hush-2.hush-3 and Bearer hush-4",
                metadata: [
                    "held": .stringConvertible(Held(secret: secret)), "password": "hush-5", "client_secret": "hush-6",
                    "refresh_token": "hush-7", "key": "-----BEGIN PRIVATE KEY-----\nhush-8",
                    "nested": ["cookie": "hush-9"],
                    "token_kind": "refresh", "amazon": "Atza|hush-10",
                ])
        }
        #expect(!text.contains("hush"))
        #expect(text.contains("refresh"))
        #expect(text.contains(Redaction.cover))
    }

    @Test(
        "A-04: a value is covered for the last word of its name",
        arguments: [
            ("token", true), ("Authorization", true), ("client_secret", true), ("oauth.Access_TOKEN", true),
            ("x.nonce", true), ("token_kind", false), ("betoken", false), ("oken", false), ("", false), ("_", false),
            ("secret ", false), ("code-verifier", false),
        ])
    func names(name: String, isCovered: Bool) {
        #expect(Redaction.isTelling(name) == isCovered)
    }

    @Test(
        "A-04: everything that looks like a secret is masked anywhere, and nothing else",
        arguments: [
            ("", ""), ("ey", "ey"), ("eyJ", "•••"), ("eeyJhb.c d", "e••• d"), ("Bearer", "Bearer"),
            ("Bearer abc, Bearer def", "•••, •••"), ("Atza|x\u{e9}Atzr|y", "•••\u{e9}•••"), ("-----BEGI", "-----BEGI"),
            ("------BEGIN KEY-----\nabc", "-•••"), ("gho_1 ghu_2 ghx_3", "••• ••• ghx_3"), ("ehc_9", "e•••"),
        ])
    func texts(text: String, covered: String) {
        #expect(Redaction.covered(text) == covered)
    }

    @Test(
        "F13: our own tokens are masked anywhere, and similar words are not",
        arguments: [
            ("rt_Ab3dEf6hIj9lMn2pQr5tUv", "•••"), ("token=mt_abcdefgh", "token=•••"), ("(fl_12345678)", "(•••)"),
            ("dt_AAAAAAAA dt_BBBBBBBB", "••• •••"), ("whsec_x", "•••"), ("awhsec_x", "a•••"),
            ("%22rt_Ab3dEf6hIj9lMn2pQr5tUv%22", "%22•••%22"), ("start_time", "start_time"),
            ("start_time_of_the_longest_request", "start_time_of_the_longest_request"), ("import_9", "import_9"),
            ("cert_expires", "cert_expires"), ("rt_", "rt_"), ("dt_s", "dt_s"), ("shelf_life", "shelf_life"),
            ("fmt_string_2", "fmt_string_2"),
        ])
    func ownTokens(text: String, covered: String) {
        #expect(Redaction.covered(text) == covered)
    }

    @Test(
        "3-B12: every prefix of a secret is masked in a line and refused as a request id",
        arguments: SecretPrefix.allCases)
    func everyPrefix(prefix: SecretPrefix) {
        let token = prefix.rawValue + "Ab3dEf6hIj9lMn2pQr5tUv"
        #expect(Redaction.covered("a \(token) b") == "a ••• b")
        #expect(Redaction.covered("x=\(token.dropLast(12))&y") == "x=•••&y")
        #expect(!RequestIDs.isHarmless(token))
    }

    @Test("3-B12: no source gives a random text a prefix outside the table")
    func onlyTable() throws {
        let sources = Configurations.root.appending(path: "Sources")
        var found: Set<String> = []
        for folder in Pages.rooms {
            let files = FileManager.default.enumerator(atPath: sources.appending(path: folder).path)
            for case let name as String in files ?? .init() where name.hasSuffix(".swift") {
                guard !name.hasSuffix("SecretPrefix.swift") else { continue }
                let text = try String(contentsOf: sources.appending(path: "\(folder)/\(name)"), encoding: .utf8)
                for match in text.matches(of: #/"([a-z]{2,8}_)(?:"|\\\()/#) { found.insert(String(match.1)) }
            }
        }
        // The id of a webhook's message is no secret; the others are prefixes of codes.
        #expect(found.subtracting(["msg_", "provider_", "claims_", "beside_"]) == [])
    }

    @Test("lines below the level are not written")
    func level() async {
        let text = await Self.lines(.text, level: .warning) { logger in
            logger.notice("unseen")
            logger.warning("seen")
        }
        #expect(!text.contains("unseen"))
        #expect(text.contains("WARNING test: seen"))
    }

    @Test("lines keep their order and none is lost")
    func order() async {
        let lines = CollectedLines()
        for number in 0..<5_000 { lines.sink.line { $0.append(contentsOf: "line \(number)".utf8) } }
        let written = await lines.text().split(separator: "\n").map(String.init)
        #expect(written == (0..<5_000).map { "line \($0)" })
    }

    @Test(
        "times are RFC 3339 in UTC",
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (951_782_399.5, "2000-02-28T23:59:59.500000Z"),
            (951_782_400, "2000-02-29T00:00:00.000000Z"), (1_709_251_199, "2024-02-29T23:59:59.000000Z"),
            (4_102_444_800, "2100-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.000000Z"),
        ] as [(Double, String)])
    func times(seconds: Double, text: String) {
        var bytes: [UInt8] = []
        RFC3339.append(Date(timeIntervalSince1970: seconds), to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
}
