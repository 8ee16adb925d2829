import FoundationEssentials
import TestSupport
import Testing

@testable import Postgres

@Suite struct SQLValueTests {
    /// Sends a value to the server, and reads it back with the server's text form.
    private func roundTrip<Value: SQLValue & Equatable>(_ values: [Value], texts: [String]? = nil) async throws {
        try await withTestDatabase(migrated: false) { database in
            for (index, value) in values.enumerated() {
                let (back, text) = try await database.pool.withConnection { connection in
                    let row = try #require(try connection.queryOne("select \(value), \(value)::text"))
                    return (try row.value(0, as: Value.self), try row.value(1, as: String.self))
                }
                #expect(back == value)
                if let texts { #expect(text == texts[index]) }
            }
        }
    }

    @Test("booleans travel unchanged")
    func booleans() async throws { try await roundTrip([true, false], texts: ["true", "false"]) }

    @Test("integers of every width travel unchanged to their extremes")
    func integers() async throws {
        try await roundTrip(
            [0, 1, -1, Int.max, Int.min], texts: ["0", "1", "-1", "9223372036854775807", "-9223372036854775808"])
        try await roundTrip([0, Int32.max, Int32.min], texts: ["0", "2147483647", "-2147483648"])
        try await roundTrip([0, Int16.max, Int16.min], texts: ["0", "32767", "-32768"])
    }

    @Test("doubles travel unchanged, infinities and the smallest too")
    func doubles() async throws {
        try await roundTrip(
            [0, -1.5, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude],
            texts: ["0", "-1.5", "Infinity", "-Infinity", "5e-324", "1.7976931348623157e+308"])
    }

    @Test("text travels unchanged: empty, quotes, four-byte characters, unnormalised, long")
    func texts() async throws {
        let values = ["", "a'b\"c\\", "👩‍👩‍👧", "e\u{301}", "\u{e9}", String(repeating: "ä", count: 100_000)]
        try await roundTrip(values, texts: values)
    }

    @Test("text is compared by its bytes, so both forms of é are preserved")
    func normalisation() async throws {
        try await withTestDatabase(migrated: false) { database in
            let back = try await database.pool.withConnection { connection in
                try connection.queryOne("select \("e\u{301}")")?.value(0, as: String.self)
            }
            #expect(Array(try #require(back).utf8) == [0x65, 0xCC, 0x81])
        }
    }

    @Test("the server refuses text with a NUL, and the connection stays usable")
    func nulCharacter() async throws {
        try await withTestDatabase(migrated: false) { database in
            let (state, next) = try await database.pool.withConnection { connection in
                var state: SQLState?
                do throws(PostgresError) { _ = try connection.query("select \("a\0b")") } catch { state = error.state }
                return (state, try connection.queryOne("select 1")?.value(0, as: Int.self))
            }
            #expect(state == SQLState(rawValue: "22021"))
            #expect(next == 1)
        }
    }

    @Test("bytes travel unchanged")
    func bytes() async throws {
        try await roundTrip([[], [0], Array(0...255)] as [[UInt8]])
        try await roundTrip([[0xDE, 0xAD]] as [[UInt8]], texts: ["\\xdead"])
    }

    @Test("a UUID travels unchanged")
    func uuids() async throws {
        let text = "00112233-4455-6677-8899-aabbccddeeff"
        try await roundTrip([try #require(UUID(uuidString: text))], texts: [text])
    }

    @Test("a moment travels to the microsecond; beyond the range it is infinity")
    func dates() async throws {
        try await roundTrip(
            [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1)],
            texts: ["1970-01-01 00:00:00+00", "1969-12-31 23:59:59+00"])
        // The first microsecond of the leap day: 60 days, less a year of 366, before the reference date of 2001.
        let leap = Date(timeIntervalSinceReferenceDate: Double(59 - 366) * 86_400 + 0.000001)
        try await roundTrip([leap], texts: ["2000-02-29 00:00:00.000001+00"])
        #expect(Date(timeIntervalSince1970: 1e20).wireBytes() == Int64.max.bigEndianArray())
        #expect(Date(timeIntervalSince1970: -1e20).wireBytes() == Int64.min.bigEndianArray())
    }

    @Test("JSON is stored as text and read back as the same document")
    func json() async throws {
        try await roundTrip(
            [JSONText(#"{"a": [1, null, "é"]}"#), JSONText("null")], texts: [#"{"a": [1, null, "é"]}"#, "null"])
    }

    @Test("lists travel unchanged, empty ones too")
    func lists() async throws {
        try await roundTrip([[], ["a", "", "c,\"d\""]] as [[String]], texts: ["{}", #"{a,"","c,\"d\""}"#])
        try await roundTrip([[], [1, .min, .max]] as [[Int]])
        try await roundTrip([[], [[], [0, 255]]] as [[[UInt8]]])
        try await roundTrip([[UUID(), UUID()], []])
    }

    @Test("an enum with a raw value is a value")
    func enumeration() async throws {
        enum Colour: String, SQLValue { case red, green }
        try await roundTrip([Colour.red, .green], texts: ["red", "green"])
        try await withTestDatabase(migrated: false) { database in
            await #expect(throws: PostgresError.decoding(column: "colour")) {
                try await database.pool.withConnection { connection in
                    _ = try connection.queryOne("select 'blue' as colour")?.value(0, as: Colour.self)
                }
            }
        }
    }

    @Test("smaller integers are read as Int, and text from every text-like type")
    func widening() async throws {
        try await withTestDatabase(migrated: false) { database in
            let values = try await database.pool.withConnection { connection in
                let row = try #require(
                    try connection.queryOne("select 7::int2, -7::int4, 'v'::varchar(3), 'n'::name, 'c'::char(2)"))
                return (
                    try row.value(0, as: Int.self), try row.value(1, as: Int.self), try row.value(2, as: String.self),
                    try row.value(3, as: String.self), try row.value(4, as: String.self)
                )
            }
            #expect(values == (7, -7, "v", "n", "c "))
        }
    }

    @Test("NULL is nil for an optional, otherwise an error with the column name")
    func nulls() async throws {
        try await withTestDatabase(migrated: false) { database in
            try await database.pool.withConnection { connection in
                let nothing: Date? = nil
                let row = try #require(
                    try connection.queryOne("select null::text as email, \(nothing) as seen, 1 as n"))
                #expect(try row.value(0, as: String?.self) == nil)
                let seen: Date? = try row.value(1)
                #expect(seen == nil)
                #expect(throws: PostgresError.decoding(column: "email")) { try row.value(0, as: String.self) }
                #expect(throws: PostgresError.decoding(column: "#9")) { try row.value(9, as: Int.self) }
                #expect(throws: PostgresError.decoding(column: "n")) { try row.value(2, as: Bool.self) }
            }
        }
    }

    @Test(
        "bytes of the wrong length or shape are refused",
        arguments: [[], [2, 2, 3], [UInt8](repeating: 9, count: 11), [UInt8](repeating: 0xFF, count: 40)] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        #expect(throws: PostgresError.unreadable) { try Int(wireBytes: bytes.span) }
        #expect(throws: PostgresError.unreadable) { try Bool(wireBytes: bytes.span) }
        #expect(throws: PostgresError.unreadable) { try UUID(wireBytes: bytes.span) }
        #expect(throws: PostgresError.unreadable) { try Date(wireBytes: bytes.span) }
        #expect(throws: PostgresError.unreadable) { try [String](wireBytes: bytes.span) }
        #expect(throws: PostgresError.unreadable) { try JSONText(wireBytes: bytes.span) }
    }
}
