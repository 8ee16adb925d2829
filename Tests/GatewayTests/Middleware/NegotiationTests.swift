import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Negotiation of answers")
struct NegotiationTests {
    @Test(
        "browsers prefer a page, other callers don't",
        arguments: [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8", true),
            ("text/html,application/xhtml+xml,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7", true),
            ("Text/HTML", true), ("text/*, application/json;q=0.9", true), ("text/html;q=0.1", true),
            ("*/*", false), ("application/json", false), ("application/json, text/html;q=0.9", false),
            ("text/html, application/json", false), ("text/html;q=0, */*;q=0", false), ("text/html;q=2", false),
            ("", false), ("application/*, text/html;q=0.5", false), (nil, false),
        ] as [(String?, Bool)])
    func page(accept: String?, isPage: Bool) {
        let fields: HTTPFields = accept.map { [.accept: $0] } ?? [:]
        #expect(fields.prefersPage == isPage)
    }

    @Test(
        "only a caller that accepts gzip gets it",
        arguments: [
            ("gzip", true), ("gzip, deflate, br, zstd", true), ("GZIP;q=0.5", true), ("*", true), ("x-gzip", true),
            ("identity;q=0.5, gzip;q=0.5", true), ("br, *;q=0.1", true),
            ("identity", false), ("gzip;q=0", false), ("*, gzip;q=0", false), ("*;q=0", false), ("br", false),
            ("identity, gzip;q=0.9", false), ("gzipped", false), ("", false), (nil, false),
        ] as [(String?, Bool)])
    func gzip(accept: String?, isCompressed: Bool) {
        let fields: HTTPFields = accept.map { [.acceptEncoding: $0] } ?? [:]
        #expect(fields.acceptsGzip == isCompressed)
    }
}

@Suite("Bodies that are compressed once")
struct StoredBodyTests {
    private static func request(accepting coding: String) -> Request {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: "/", headerFields: [.acceptEncoding: coding])
        return Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    @Test("gzip of the system inflates the compressed body to the plain one", arguments: [40, 4_000, 400_000])
    func inflates(lines: Int) async throws {
        let bytes = (0..<lines).flatMap { Array("line \($0 * 7_919 % 997)\n".utf8) }
        let compressed = try #require(Gzip.compressed(bytes))
        #expect(compressed.count < bytes.count)
        #expect(try await ChildProcess.run(["gzip", "--decompress", "--stdout"], input: compressed) == bytes)
    }

    @Test("an empty body compresses too")
    func empty() async throws {
        let compressed = try #require(Gzip.compressed([]))
        #expect(try await ChildProcess.run(["gzip", "--decompress", "--stdout"], input: compressed) == [])
    }

    @Test("the coding follows the request, and caches learn that")
    func coding() async throws {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 1_000)
        let body = StoredBody(bytes)
        let plain = body.response(to: Self.request(accepting: "identity"), headers: [.contentType: "text/css"])
        #expect(plain.headers[.contentEncoding] == nil)
        #expect(plain.headers[.vary] == "Accept-Encoding")
        #expect(try await plain.bytes == bytes)
        let short = body.response(to: Self.request(accepting: "gzip"), headers: [.contentType: "text/css"])
        #expect(short.headers[.contentEncoding] == "gzip")
        #expect(short.headers[.vary] == "Accept-Encoding")
        #expect(short.headers[.contentType] == "text/css")
        let inflated = try await ChildProcess.run(["gzip", "--decompress", "--stdout"], input: try await short.bytes)
        #expect(inflated == bytes)
    }

    @Test("a body that compression doesn't shorten stays plain for every caller")
    func incompressible() async throws {
        let bytes: [UInt8] = [7, 1, 200, 43]
        let response = StoredBody(bytes).response(to: Self.request(accepting: "gzip"), headers: [:])
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.vary] == nil)
        #expect(try await response.bytes == bytes)
    }
}
