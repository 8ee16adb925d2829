import Testing

@testable import Pages

@Suite("QR codes")
struct QRCodeTests {
    /// The dark modules of a code, from its path.
    private func modules(_ code: QRCode) throws -> Set<[Int]> {
        var dark: Set<[Int]> = []
        for run in code.path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            try #require(numbers.count == 5 && numbers[3] == 1 && numbers[4] == numbers[0], "\(run)")
            for column in numbers[0]..<numbers[0] + numbers[2] { dark.insert([column, numbers[1]]) }
        }
        return dark
    }

    @Test("a code has its three eyes, four light modules around them, and nothing outside")
    func eyes() throws {
        // ISO/IEC 18004 §6.3.3: an eye is a dark square of 7 with a light ring inside and a dark square of 3.
        let code = try QRCode("otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP")
        let dark = try modules(code)
        for (left, top) in [(4, 4), (code.side - 11, 4), (4, code.side - 11)] {
            for column in 0..<7 {
                for row in 0..<7 {
                    let ring = max(abs(column - 3), abs(row - 3))
                    #expect(dark.contains([left + column, top + row]) == (ring != 2), "\(column), \(row)")
                }
            }
        }
        #expect(dark.allSatisfy { $0.allSatisfy { (4..<code.side - 4).contains($0) } })
        #expect((code.side - 8 - 17).isMultiple(of: 4))
    }

    @Test("another text is another code, and the same text the same")
    func texts() throws {
        #expect(try QRCode("a") == QRCode("a"))
        #expect(try QRCode("a") != QRCode("b"))
        #expect(try QRCode("a").side == 29)
        #expect(throws: QRCode.NotEncodable.self) { try QRCode("") }
    }

    @Test("a text too long for a symbol is refused")
    func tooLong() throws {
        // ISO/IEC 18004, table 7: version 40 holds 2331 bytes at level M.
        #expect(try QRCode(String(repeating: "\u{E9}", count: 1_165)).side == 177 + 8)
        #expect(throws: QRCode.NotEncodable.self) { try QRCode(String(repeating: "\u{E9}", count: 1_166)) }
    }

    @Test("the document is dark on light on any background, and has its title as text")
    func document() throws {
        let svg = try QRCode.svg("a", title: "<Shop> & \"more\"")
        let document = try HTMLDocument(Array(svg.utf8))
        #expect(document.all("title").map(\.text) == ["<Shop> & \"more\""])
        #expect(document.all("svg").map { $0.attributes["viewBox"] } == ["0 0 29 29"])
        #expect(document.all("svg").map { $0.attributes["shape-rendering"] } == ["crispEdges"])
        #expect(document.all("rect").map { $0.attributes["fill"] } == ["#fff"])
        #expect(document.all("path").map { $0.attributes["fill"] } == ["#000"])
    }
}
