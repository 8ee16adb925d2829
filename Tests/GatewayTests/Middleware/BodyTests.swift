import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Testing

@testable import HTTPServer

@Suite("Bodies")
struct BodyTests {
    private static let json: HTTPFields = [.contentType: "application/json"]

    private static func shell() throws -> TestShell {
        try TestShell { router in
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.changes(request))) }
        }
    }

    private static func request(_ body: RequestBody, headers: HTTPFields) -> Request {
        Request(
            head: HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/", headerFields: headers),
            body: body)
    }

    @Test(
        "a JSON object is accepted",
        arguments: ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
    func taken(type: String) async throws {
        let response = try await Self.shell().send(
            .post, "/echo", headers: [.contentType: type], body: Array("{\"a\":1}".utf8)
        ).response
        #expect(response.status == .ok)
        #expect(try await response.json == ["a": 1])
    }

    @Test(
        "another content type is 415",
        arguments: [
            nil, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonp",
            "application/json; charset=latin1",
            "text/plain; application/json", "multipart/form-data; boundary=application/json",
        ] as [String?])
    func wrongType(type: String?) async throws {
        var headers = HTTPFields()
        headers[.contentType] = type
        let response = try await Self.shell().send(.post, "/echo", headers: headers, body: Array("{}".utf8)).response
        #expect(response.status == .unsupportedMediaType)
        #expect(try await response.json["code"] == "unsupported_media_type")
    }

    @Test(
        "a body with a content coding is 415",
        arguments: [("gzip", 415), ("deflate", 415), ("identity", 200), ("Identity", 200)])
    func coded(row: (coding: String, status: Int)) async throws {
        var headers = Self.json
        headers[.contentEncoding] = row.coding
        let response = try await Self.shell().send(.post, "/echo", headers: headers, body: Array("{}".utf8)).response
        #expect(response.status.code == row.status)
    }

    @Test(
        "malformed JSON is 400 with pointer and code",
        arguments: [
            ("{\"a\":1,\"a\":2}", "/a", "duplicate_name"), ("{\"a\":[1,}", "/a/1", "unexpected_byte"),
            ("", "", "unexpected_end"), ("{\"a\":\"\\ud800\"}", "/a", "lone_surrogate"),
            ("{} {}", "", "trailing_bytes"),
            ("\u{FEFF}{}", "", "byte_order_mark"),
        ])
    func malformed(text: String, pointer: String, code: String) async throws {
        let response = try await Self.shell().send(.post, "/echo", headers: Self.json, body: Array(text.utf8)).response
        #expect(response.status == .badRequest)
        let body = try await response.json
        #expect(body["code"] == "malformed_request")
        let item = try #require(body["errors"]?.array?.first)
        #expect(item["pointer"] == .string(pointer))
        #expect(item["code"] == .string(code))
    }

    @Test(
        "a length beyond the number range is too large, and the body is not awaited",
        arguments: ["65537", "9223372036854775808", "99999999999999999999999999"])
    func announcedTooLarge(length: String) async throws {
        // Never finished, so a reader would wait for ever.
        let (stream, source) = AsyncStream<ByteBuffer>.makeStream()
        let request = Self.request(RequestBody(asyncSequence: stream), headers: [.contentLength: length])
        await #expect(throws: Problem.bodyTooLarge) {
            try await BodyLimit(timeLimit: .seconds(10)).collect(request, since: .now)
        }
        source.finish()
    }

    @Test("any other JSON than an object is 400", arguments: ["[]", "1", "null", "\"a\""])
    func noObject(text: String) async throws {
        let response = try await Self.shell().send(.post, "/echo", headers: Self.json, body: Array(text.utf8)).response
        #expect(response.status == .badRequest)
        #expect(try await response.json["code"] == "malformed_request")
    }

    @Test("64 KiB are accepted, and one byte more is 413")
    func limit() async throws {
        func document(_ count: Int) -> [UInt8] {
            Array("{\"a\":\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: count - 8) + Array("\"}".utf8)
        }
        let shell = try Self.shell()
        #expect(await shell.send(.post, "/echo", headers: Self.json, body: document(65_536)).response.status == .ok)
        let outcome = await shell.send(.post, "/echo", headers: Self.json, body: document(65_537))
        #expect(outcome.response.status == .contentTooLarge)
        #expect(outcome.response.headers[.connection] == "close")
        #expect(outcome.closesConnection)
        #expect(try await outcome.response.json["code"] == "body_too_large")
    }

    @Test("a body of unannounced length is counted while it arrives")
    func streamed() async throws {
        let (stream, source) = AsyncStream<ByteBuffer>.makeStream()
        for _ in 0..<5 { source.yield(ByteBuffer(repeating: 0x20, count: 16_384)) }
        source.finish()
        let request = Self.request(RequestBody(asyncSequence: stream), headers: [.transferEncoding: "chunked"])
        await #expect(throws: Problem.bodyTooLarge) {
            try await BodyLimit(timeLimit: .seconds(10)).collect(request, since: .now)
        }
    }

    @Test("A-10: a slow body ends at its deadline")
    func slow() async throws {
        let (stream, source) = AsyncStream<ByteBuffer>.makeStream()
        for _ in 0..<3 { source.yield(ByteBuffer(string: "x")) }
        let request = Self.request(RequestBody(asyncSequence: stream), headers: [.contentLength: "1000"])
        await #expect(throws: Problem.bodyTooSlow) {
            try await BodyLimit(timeLimit: .seconds(10)).collect(request, since: .now - .seconds(11))
        }
    }

    @Test("chunks are joined in order")
    func chunks() async throws {
        let (stream, source) = AsyncStream<ByteBuffer>.makeStream()
        for part in ["{\"a\"", ":1", "}"] { source.yield(ByteBuffer(string: part)) }
        source.finish()
        let request = Self.request(
            RequestBody(asyncSequence: stream),
            headers: [.transferEncoding: "chunked", .contentType: "application/json"])
        let whole = try await BodyLimit(timeLimit: .seconds(10)).collect(request, since: .now)
        #expect(try await JSONBody.object(whole, of: "a") == ["a": 1])
    }

    @Test("a form is read and its escapes are decoded")
    func form() throws {
        let form = try FormBody(Array("token=a%2Bb+c&token_type_hint=&x=%C3%A4&flag".utf8))
        #expect(form["token"] == "a+b c")
        #expect(form["token_type_hint"] == nil)
        #expect(form["x"] == "ä")
        #expect(form["flag"] == nil)
    }

    @Test(
        "a form with a repeated name or a broken escape is refused",
        arguments: ["a=1&a=2", "a=%", "a=%2", "a=%zz", "a=%ff", "a=%00", "a\u{0}=b"])
    func badForm(text: String) {
        #expect(throws: Problem.self) { try FormBody(Array(text.utf8)) }
    }

    @Test("A-10: the number of a form's parameters is limited, since each is compared with all before it")
    func manyParameters() throws {
        let names = (0..<FormBody.mostFields).map { "n\($0)=" }
        #expect(try FormBody(Array(names.joined(separator: "&").utf8)).fields.count == FormBody.mostFields)
        for one in ["n", "n=1", "&&n"] {
            #expect(throws: Problem.self) { try FormBody(Array((names + [one]).joined(separator: "&").utf8)) }
        }
    }

    @Test("A-05: the kept part of a stranger's text has a limit in bytes")
    func boundedText() {
        let accents = "e" + String(repeating: "\u{301}", count: 1_000)
        #expect(accents.count == 1)
        #expect(accents.bounded(bytes: 256).utf8.count == 255)
        #expect("häß".bounded(bytes: 5) == "häß" && "häß".bounded(bytes: 4) == "hä")
    }
}
