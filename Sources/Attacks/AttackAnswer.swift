import JSON

/// One answer of HTTP/1.1 (RFC 9112).
struct AttackAnswer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// From the connection to the last byte.
    var duration = Duration.zero

    func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    func header(_ name: String) -> String? { values(name).first }

    /// Where it redirects to; empty if nowhere.
    var location: String { (300..<400).contains(status) ? header("Location") ?? "" : "" }

    /// The cookies that it sets, as whole lines.
    var cookies: [String] { values("Set-Cookie") }

    /// Whether it gives the browser a session.
    var setsSession: Bool { cookies.contains { $0.hasPrefix("__Host-session=") && !$0.hasPrefix("__Host-session=;") } }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body; null if it is no JSON.
    var json: JSON { (try? JSON(parsing: body, limits: .provider)) ?? .null }

    /// Everything of it that a browser interprets.
    var wholeText: String { headers.map { "\($0.name): \($0.value)\n" }.joined() + text }

    /// The final answers among the bytes that a server sent.
    static func all(in bytes: [UInt8]) -> [AttackAnswer] {
        var (rest, answers) = (bytes[...], [AttackAnswer]())
        while let (answer, end) = next(in: rest) {
            if answer.status >= 200 { answers.append(answer) }
            rest = rest[end...]
        }
        return answers
    }

    private static func next(in bytes: ArraySlice<UInt8>) -> (AttackAnswer, end: Int)? {
        guard let head = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        let headers = lines.dropFirst().map { line in
            let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(halves[0]), value: String(halves.last ?? "").trimmingSpaces)
        }
        let bare = AttackAnswer(status: status, headers: headers, body: [])
        let (body, end) = bare.body(in: bytes[head.upperBound...])
        return (AttackAnswer(status: status, headers: headers, body: body), end)
    }

    /// The body, and the place after it.
    private func body(in rest: ArraySlice<UInt8>) -> ([UInt8], end: Int) {
        if status < 200 || status == 204 || status == 304 { return ([], rest.startIndex) }
        if header("Transfer-Encoding")?.lowercased() == "chunked" { return Self.chunks(in: rest) }
        let body = rest.prefix(header("Content-Length").flatMap { Int($0) } ?? rest.count)
        return (Array(body), body.endIndex)
    }

    private static func chunks(in bytes: ArraySlice<UInt8>) -> ([UInt8], end: Int) {
        var (rest, body) = (bytes, [UInt8]())
        while let line = rest.firstRange(of: [13, 10]) {
            let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self).prefix { $0.isHexDigit }
            guard let size = Int(digits, radix: 16), rest[line.upperBound...].count >= size + 2 else { break }
            body += rest[line.upperBound...].prefix(size)
            rest = rest[(line.upperBound + size + 2)...]
            if size == 0 { break }
        }
        return (body, rest.startIndex)
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
