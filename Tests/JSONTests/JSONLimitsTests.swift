import JSON
import Testing

@Suite("Limits on JSON")
struct JSONLimitsTests {
    @Test("a document of exactly the length allowed is read, one byte more is not")
    func length() throws {
        let limits = JSONLimits(bytes: 10, members: 10)
        #expect(try JSON(parsing: #""12345678""#, limits: limits) == "12345678")
        #expect(throws: JSONError.self) { try JSON(parsing: #""123456789""#, limits: limits) }
        #expect(throws: JSONError.self) { try JSON(parsing: Array(#""123456789""#.utf8), limits: limits) }
    }

    @Test("sixteen levels are read, seventeen are not", arguments: ["[", #"{"a":"#])
    func depth(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        func nested(_ levels: Int) -> String {
            String(repeating: opening, count: levels) + (opening == "[" ? "" : "0")
                + String(repeating: closing, count: levels)
        }
        #expect(throws: Never.self) { try JSON(parsing: nested(16)) }
        let error = try #require(throws: JSONError.self) { try JSON(parsing: nested(17)) }
        #expect(error.problem == .tooDeep)
    }

    @Test("J-21: ten thousand nested arrays are refused at the seventeenth")
    func nestedArrays() throws {
        let text = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let error = try #require(throws: JSONError.self) { try JSON(parsing: text) }
        #expect(error.problem == .tooDeep)
        #expect(error.offset == 16)
    }

    @Test("members of all objects are counted together")
    func members() throws {
        let limits = JSONLimits(bytes: 1000, members: 3)
        #expect(throws: Never.self) { try JSON(parsing: #"{"a":{"b":1},"c":2}"#, limits: limits) }
        let error = try #require(throws: JSONError.self) {
            try JSON(parsing: #"{"a":{"b":1},"c":2,"d":3}"#, limits: limits)
        }
        #expect(error.problem == .tooManyMembers)
    }

    @Test("a number of 32 characters is read, one of 33 is not")
    func numberLength() throws {
        let digits = String(repeating: "1", count: 30)
        #expect(throws: Never.self) { try JSON(parsing: "1." + digits) }
        let error = try #require(throws: JSONError.self) { try JSON(parsing: "1.1" + digits) }
        #expect(error.problem == .numberTooLong)
    }

    @Test("NUL is read if it is allowed")
    func nul() throws {
        let limits = JSONLimits(bytes: 100, members: 1, allowsNUL: true)
        #expect(try JSON(parsing: #""\u0000""#, limits: limits) == "\0")
    }
}
