import TestSupport
import Testing

/// Compression and caching of assets and pages.
@Suite(.gateway())
struct CompressionTests {
    private static func get(_ path: String, accepting coding: String?) async throws -> TestAnswer {
        let request = TestRequest("GET", path)
        return try await GatewayProcess.current.send(coding.map { request.header("Accept-Encoding", $0) } ?? request)
    }

    /// The addresses of the style sheet, the script and the icon on the sign-in page.
    private static func assets() async throws -> [String] {
        let page = try HTMLDocument(try await GatewayProcess.current.get("/login").body)
        let found = page.all("link").map { $0.attributes["href"] } + page.all("script").map { $0.attributes["src"] }
        return found.compactMap(\.self)
    }

    private static func inflated(_ answer: TestAnswer) async throws -> [UInt8] {
        try await ChildProcess.run(["gzip", "--decompress", "--stdout"], input: answer.body)
    }

    @Test("a compressed asset inflates to the plain one, and both may be kept for a year")
    func assets() async throws {
        let addresses = try await Self.assets()
        #expect(addresses.count >= 3)
        for address in addresses + ["/errors", "/errors/not_found"] {
            let plain = try await Self.get(address, accepting: nil)
            let short = try await Self.get(address, accepting: "gzip, deflate, br")
            #expect(plain.status == 200 && short.status == 200)
            #expect(plain.header("Content-Encoding") == nil)
            #expect(short.header("Content-Encoding") == "gzip")
            #expect(short.body.count < plain.body.count)
            #expect(short.header("Content-Length") == "\(short.body.count)")
            #expect(try await Self.inflated(short) == plain.body)
            #expect(short.header("Content-Type") == plain.header("Content-Type"))
            for answer in [plain, short] {
                let varies = answer.headers.filter { $0.name.lowercased() == "vary" }.map(\.value)
                #expect(varies.contains("Accept-Encoding"))
            }
            guard address.hasPrefix("/assets/") else { continue }
            #expect(short.header("Cache-Control") == "public, max-age=31536000, immutable")
        }
    }

    @Test("a caller that refuses gzip gets the plain asset", arguments: ["identity", "gzip;q=0", "*;q=0", "br"])
    func refused(coding: String) async throws {
        for address in try await Self.assets() {
            let answer = try await Self.get(address, accepting: coding)
            #expect(answer.header("Content-Encoding") == nil)
            #expect(try await answer.body == Self.get(address, accepting: nil).body)
        }
    }

    @Test("an asset under another digest, or without one, is not found")
    func digests() async throws {
        let sheet = try #require(try await Self.assets().first { $0.hasSuffix(".css") })
        let parts = sheet.split(separator: ".")
        #expect(parts.count == 3)
        let flipped = String(parts[1].reversed())
        for path in ["\(parts[0]).\(flipped).css", "\(parts[0]).css", "\(parts[0])..css"] {
            let answer = try await Self.get(path, accepting: "gzip")
            #expect(answer.status == 404, "\(path)")
            #expect(answer.code == "not_found")
        }
    }

    @Test("W-14: pages with form tokens and answers with tokens are never compressed")
    func secrets() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        let browser = try await PageBrowser.signedIn(gateway, email)
        browser.headers = [("Accept-Encoding", "gzip")]
        for path in ["/login", "/account", "/v1/session"] {
            let answer = try await browser.send(TestRequest("GET", path))
            #expect(answer.header("Content-Encoding") == nil, "\(path)")
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.status == 200 && !answer.body.isEmpty)
        }
    }
}
