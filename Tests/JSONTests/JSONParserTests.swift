import JSON
import Testing

@Suite("Reading JSON")
struct JSONParserTests {
    @Test(
        "a document becomes its value",
        arguments: [
            ("null", JSON.null), (" true ", true), ("false", false), ("0", 0), ("-5", -5), ("-0", 0),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775809", .double(9223372036854775808)),
            ("-9223372036854775809", .double(-9223372036854775808)),
            ("92233720368547758070", .double(92233720368547758080)),
            ("9223372036854775808", .double(9223372036854775808)), ("1.0", .double(1)), ("1e3", .double(1000)),
            ("-2.5E-1", .double(-0.25)), (#""""#, ""), (#""a\/b\\\"\b\f\n\r\t""#, "a/b\\\"\u{8}\u{c}\n\r\t"),
            (#""\u00e9\u00E9""#, "\u{e9}\u{e9}"), (#""\ud83d\ude00""#, "\u{1F600}"), (#""é😀""#, "é😀"),
            ("[]", []), ("[1,[2],{}]", [1, [2], [:]]), ("\t{ \"a\" : 1 ,\r\n\"b\":null}", ["a": 1, "b": nil]),
        ] as [(String, JSON)])
    func reads(text: String, expected: JSON) throws {
        #expect(try JSON(parsing: text) == expected)
    }

    @Test(
        "documents that RFC 8259 forbids are refused",
        arguments: [
            ("", .unexpectedEnd), (" ", .unexpectedEnd), ("nul", .unexpectedEnd), ("nulL", .unexpectedByte),
            ("True", .unexpectedByte), ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte), ("+1", .unexpectedByte),
            ("01", .numberMalformed), ("-01", .numberMalformed), ("1.", .unexpectedEnd), ("1.x", .numberMalformed),
            (".5", .unexpectedByte), ("1e", .unexpectedEnd), ("-", .unexpectedEnd), ("0x10", .trailingBytes),
            ("1 2", .trailingBytes), ("{} x", .trailingBytes), ("[1,]", .unexpectedByte), ("[,1]", .unexpectedByte),
            ("[1 2]", .unexpectedByte), ("[1", .unexpectedEnd), ("[1}", .unexpectedByte), ("{a:1}", .unexpectedByte),
            ("{'a':1}", .unexpectedByte), (#"{"a" 1}"#, .unexpectedByte), (#"{"a":1,}"#, .unexpectedByte),
            (#"{"a"}"#, .unexpectedByte), ("// c", .unexpectedByte), (#""a"#, .unexpectedEnd),
            (#""\x41""#, .escapeMalformed),
            (#""\u00g0""#, .escapeMalformed), (#""\u12"#, .unexpectedEnd), ("\"a\nb\"", .controlCharacter),
            ("\"\u{1f}\"", .controlCharacter),
            (#""\n"# + "\n\"", .controlCharacter), (#""\u0041"# + "\u{1f}\"", .controlCharacter),
            (#""\ud800""#, .loneSurrogate), (#""\ude00""#, .loneSurrogate),
            (#""\ud800\ud800""#, .loneSurrogate), (#""\ud800x""#, .loneSurrogate), (#""a\u0000b""#, .forbiddenNUL),
            ("1e999", .numberOutOfRange), ("-1e999", .numberOutOfRange), ("\u{a0}1", .unexpectedByte),
        ] as [(String, JSONError.Problem)])
    func refuses(text: String, problem: JSONError.Problem) {
        #expect(problem == self.problem { () throws(JSONError) in try JSON(parsing: text) })
    }

    @Test(
        "other encodings than UTF-8 are refused",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x7B, 0x7D], .byteOrderMark), ([0xFF, 0xFE, 0x7B, 0x00], .unexpectedByte),
            ([0x00, 0x7B, 0x00, 0x7D], .unexpectedByte), ([0x22, 0xFF, 0x22], .invalidUTF8),
            ([0x22, 0xC0, 0x80, 0x22], .invalidUTF8), ([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8),
            ([0x22, 0xE2, 0x82, 0x22], .invalidUTF8), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8),
            ([0x22, 0x5C, 0x6E, 0xFF, 0x22], .invalidUTF8),
        ] as [([UInt8], JSONError.Problem)])
    func refuses(bytes: [UInt8], problem: JSONError.Problem) {
        #expect(problem == self.problem { () throws(JSONError) in try JSON(parsing: bytes) })
    }

    @Test(
        "a repeated name is refused at any level, in every spelling",
        arguments: [
            (#"{"a":1,"a":1}"#, "/a"), (#"{"a":1,"\u0061":2}"#, "/a"), (#"{"x":[{"b":{},"b":{}}]}"#, "/x/0/b"),
            (#"{"":1,"":2}"#, "/"), (#"{"a/b~c":1,"a\/b~c":2}"#, "/a~1b~0c"),
        ])
    func repeatedNames(text: String, pointer: String) throws {
        let error = try #require(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error.problem == .duplicateName)
        #expect(error.pointer == pointer)
    }

    @Test("names that are only canonically equal are two names")
    func canonicallyEqualNames() throws {
        let json = try JSON(parsing: #"{"\u00e9":1,"e\u0301":2}"#)
        #expect(json["\u{e9}"] == 1)
        #expect(json["e\u{301}"] == 2)
    }

    @Test("a repeated name is found among many", arguments: [24, 25, 400])
    func repeatedNameAmongMany(count: Int) {
        let members = (0..<count).map { #""m\#($0)":0"# }.joined(separator: ",")
        #expect(throws: Never.self) { try JSON(parsing: "{\(members)}") }
        #expect(problem { () throws(JSONError) in try JSON(parsing: #"{\#(members),"m0":1}"#) } == .duplicateName)
        #expect(
            problem { () throws(JSONError) in try JSON(parsing: #"{\#(members),"m\#(count - 1)":1}"#) }
                == .duplicateName)
    }

    @Test("an error has its position")
    func position() throws {
        let error = try #require(throws: JSONError.self) { try JSON(parsing: #"{"a":[1,{"b":tru}]}"#) }
        #expect(error.problem == .unexpectedByte)
        #expect(error.offset == 16)
        #expect(error.pointer == "/a/1/b")
    }

    private func problem(_ parse: () throws(JSONError) -> JSON) -> JSONError.Problem? {
        do throws(JSONError) {
            _ = try parse()
            return nil
        } catch {
            return error.problem
        }
    }
}
