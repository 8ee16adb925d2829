/// Requests that two servers read differently, and requests without end.
extension Attack {
    static let smuggling = [
        Attack("N6", .smuggling, "two lengths of one body") { target in
            try await target.refusesFraming([
                "Content-Length: 5\r\nTransfer-Encoding: chunked", "Content-Length: 5\r\nTransfer-Encoding:\tchunked",
                "Content-Length: 0\r\nContent-Length: 50", "Content-Length: 0, 50", "Content-Length: +0",
                "Content-Length: -1", "Content-Length: 0x0",
            ])
        },
        Attack("N6", .smuggling, "transfer codings that only one server knows") { target in
            try await target.refusesFraming([
                "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked", "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            ])
        },
        Attack("N6", .smuggling, "sizes of chunks that only one server can read") { target in
            let sizes = ["-1\r\n\r\n", "0x0\r\n\r\n", "fffffffffffffffff\r\n\r\n", "0\n\n", "\r\n\r\n"]
            try await target.refusesFraming(sizes.map { "Transfer-Encoding: chunked\r\n\r\n\($0)" }, isWhole: true)
        },
        Attack("N6", .smuggling, "a header with a bare line end, a fold, a NUL or a second host") { target in
            let lines = [
                "X-A: b\nX-B: c", "X-A: b\rX-B: c", "X-A: b\r\n c", "X-A: b\0c", "X A: b", "Host: evil.example",
            ]
            for line in lines {
                try await target.refusesRaw("GET /health/live HTTP/1.1\r\nHost: HOST\r\n\(line)\r\n\r\n", line)
            }
            try await target.refusesRaw("GET /health/live HTTP/1.1\r\n\r\n", "no Host")
            try await target.refusesRaw("TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n", "TRACE")
        },
        Attack("A-10", .smuggling, "a head, an address or a body beyond every limit") { target in
            let (start, many) = ("GET /health/live HTTP/1.1\r\nHost: HOST\r\n", String(repeating: "a", count: 200_000))
            let fields = (0..<5_000).map { "X-\($0): a\r\n" }.joined()
            try await target.refusesRaw("\(start)X-A: \(many)\r\n\r\n", "a header of 200,000 bytes")
            try await target.refusesRaw("\(start)\(fields)\r\n", "5,000 headers")
            try await target.refusesRaw("GET /\(many) HTTP/1.1\r\nHost: HOST\r\n\r\n", "an address of 200,000 bytes")
            let type = "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{"
            try await target.refusesRaw("POST /v1/sign-in HTTP/1.1\r\nHost: HOST\r\n\(type)", "a body of a gigabyte")
        },
    ]
}

extension Target {
    private static let second = "GET /health/live HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"

    /// Sends a body with each framing, and a second request behind it.
    ///
    /// - Parameter isWhole: whether the framing ends its body itself.
    fileprivate func refusesFraming(_ framings: [String], isWhole: Bool = false) async throws {
        for framing in framings {
            let head = "POST /v1/nonce HTTP/1.1\r\nHost: HOST\r\n\(framing)"
            try await refusesRaw((isWhole ? head : "\(head)\r\n\r\n0\r\n\r\n") + Self.second, framing)
        }
    }

    /// Held if the server closes, or refuses once.
    fileprivate func refusesRaw(_ text: String, _ what: String) async throws {
        let answers = try await answers(toRaw: text)
        let shown = what.split(whereSeparator: \.isNewline).first ?? ""
        if answers.count > 1 { throw Broken("\(shown): the server found a second request, and answered it") }
        guard answers.allSatisfy({ $0.status >= 400 }) else {
            throw Broken("\(shown): accepted with \(answers[0].status)")
        }
    }
}
