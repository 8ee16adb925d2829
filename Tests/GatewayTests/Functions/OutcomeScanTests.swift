import Testing

@testable import Postgres

/// The scan of ``OutcomeTests`` finds each kind of error: each test breaks a correct function.
@Suite("The scan of outcomes")
struct OutcomeScanTests {
    private static func answer(_ body: String, _ functions: Set<String> = []) throws -> Set<String> {
        let sql = "-- A function.\ncreate or replace function f() returns text language plpgsql as $$\n\(body) $$;\n"
        return try OutcomeScan(FunctionText(FunctionFile(path: "a/f.sql", sql: sql)), functions: functions).answer()
    }

    private static func column(_ body: String, _ functions: Set<String> = []) throws -> Set<String> {
        let sql = "-- A function.\ncreate or replace function f(out outcome text) language plpgsql as $$\n\(body) $$;\n"
        return try OutcomeScan(FunctionText(FunctionFile(path: "a/f.sql", sql: sql)), functions: functions).column()
    }

    @Test("a word that a body returns is found, and one in a comment is not")
    func returned() throws {
        #expect(
            try Self.answer("begin if a then return 'spent'; end if; -- return 'unknown';\n return 'done'; end") == [
                "spent", "done",
            ])
        #expect(try Self.answer("begin return 'done'; end") == ["done"])
    }

    @Test("outcomes in a case, a coalesce and an array are found, with the null of a case without an else")
    func expressions() throws {
        #expect(
            try Self.answer("begin return case when a then 'one' when b then 'two' end; end") == ["one", "two", "null"])
        #expect(try Self.answer("begin return case when a then 'one' else 'two' end; end") == ["one", "two"])
        #expect(try Self.answer("begin return coalesce(g(1), 'rest'); end", ["g"]) == ["*g", "rest"])
        #expect(
            try Self.answer("begin return array['one', case a when 1 then 'two' else 'three' end]; end") == [
                "one", "two", "three",
            ])
    }

    @Test("words in variables and columns are found")
    func variables() throws {
        #expect(
            try Self.answer("declare refused text := g(p); begin refused := 'late'; return refused; end", ["g"]) == [
                "*g", "late",
            ])
        #expect(
            try Self.column("begin outcome := 'one'; if a then outcome := h(p); end if; end", ["h"]) == ["one", "*h"])
        #expect(try Self.column("begin select x.outcome, x.wait into outcome, wait from k(p) x; end", ["k"]) == ["*k"])
    }

    @Test("an expression that the scan cannot read is an error, never silence")
    func unreadable() {
        #expect(throws: OutcomeScan.Unreadable.self) { try Self.answer("begin return lower(a) || b; end") }
        #expect(throws: OutcomeScan.Unreadable.self) { try Self.answer("begin return elsewhere(a); end") }
    }

    @Test("a switch with a default is seen, with its cases")
    func defaults() throws {
        let all = SwiftSwitches.all(
            in: "switch try row.outcome() {\ncase .own(.done): 1\ndefault: 2\n}\nswitch a {\ncase .b: 1\n}\n")
        #expect(all.map(\.hasDefault) == [true, false])
        #expect(all.map(\.cases) == [["own"], ["b"]])
    }
}
