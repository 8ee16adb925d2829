import Testing

@testable import Postgres

/// The scan of ``LockLineTests`` finds every kind of lock.
@Suite("The scan of locks")
struct LockScanTests {
    private static let schema = SchemaText(
        """
        create table accounts (id uuid);
        create unlogged table flows (id uuid);
        create table audit_inbox (id bigint);
        create trigger leave after delete on accounts
            for each row execute function go_along();
        create trigger watch after insert or update of state, tries on flows
            for each row execute function go_along();
        """)

    /// The locks of `f`; `go_along` and `hold` are functions that lock a flow and an account.
    private static func locks(_ body: String) -> [String] {
        func function(_ name: String, _ body: String) -> FunctionText {
            FunctionText(
                FunctionFile(
                    path: "a/\(name).sql",
                    sql:
                        "-- A function.\ncreate or replace function \(name)() returns void language sql as $$\n\(body)\n$$;\n"
                ))
        }
        let all = [
            function("f", body), function("go_along", "delete from flows where id = old.id;"),
            function("hold", "select from accounts for update;"), function("look", "select from accounts;"),
        ]
        return LockScan.all(all, schema: schema)["f", default: []].map(\.text)
    }

    @Test("a row lock is found with its table and strength, and a plain read is not a lock")
    func rows() {
        #expect(
            Self.locks("perform 1 from accounts where id = p for no key update;") == ["accounts (for no key update)"])
        #expect(
            Self.locks("select 1 from flows f join accounts a on a.id = f.id where f.x for key share of a;") == [
                "accounts (for key share)"
            ])
        #expect(
            Self.locks("select 1 from flows f, accounts a for share;") == ["flows (for share)", "accounts (for share)"])
        #expect(
            Self.locks("select (select 1 from accounts), 2 from flows limit 1 for update skip locked;") == [
                "flows (for update skip locked)"
            ])
        #expect(Self.locks("select 1 from accounts; -- for update\nselect look();") == [])
    }

    @Test("changes of rows are found in order; an inserted row is new, and a row of the log is omitted")
    func changes() {
        #expect(Self.locks("update flows set a = 1; delete from accounts;") == ["flows", "accounts", "*go_along"])
        #expect(
            Self.locks("insert into accounts (id) values (1); insert into audit_inbox (id) values (1);") == [
                "accounts (new)"
            ])
        #expect(Self.locks("insert into accounts (id) values (1) on conflict do nothing;") == ["accounts"])
        #expect(Self.locks("insert into accounts (id) values (1); update accounts set id = 2;") == ["accounts"])
    }

    @Test("functions that lock are found where they are called, and those that do not are left out")
    func calls() {
        #expect(Self.locks("perform hold(); perform look(); perform f();") == ["*hold"])
    }

    @Test("a trigger counts for its own event and columns")
    func triggers() {
        #expect(Self.locks("insert into flows (id) values (1);") == ["flows (new)", "*go_along"])
        #expect(Self.locks("update flows set tries = 1, x = (1, 2) where state = 'a';") == ["flows", "*go_along"])
        #expect(Self.locks("update flows set x = tries where state = 'a';") == ["flows"])
    }

    @Test("advisory locks and locks of tables are found by name")
    func others() {
        #expect(
            Self.locks("select pg_advisory_xact_lock(hashtextextended('flows', 4)); delete from flows;") == [
                "advisory flows", "flows",
            ])
        #expect(Self.locks("select pg_advisory_xact_lock(hashtextextended('erasures', 7));") == ["advisory erasures"])
        #expect(
            Self.locks("select pg_advisory_xact_lock(hashtextextended(concat_ws(chr(1), a, b), 1));") == [
                "advisory identity"
            ])
        #expect(
            Self.locks("lock table accounts in share mode; execute format('drop table %I', a);") == [
                "accounts (whole table)", "named table (whole table)",
            ])
    }
}
