import Testing

@testable import Postgres

@Suite struct SQLTests {
    @Test("an interpolated value becomes a numbered parameter")
    func parameters() {
        let sql: SQL = "select \(1), \("a'b"), \(true)"
        #expect(sql.text == "select $1, $2, $3")
        #expect(sql.parameters.map(\.type) == [20, 25, 16])
        #expect(sql.bytes == [0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0x27, 0x62, 1])
    }

    @Test("nil is NULL of the right type")
    func null() {
        let nothing: String? = nil
        let sql: SQL = "select \(nothing)"
        #expect(sql.parameters == [SQL.Parameter(type: 25, offset: 0, length: -1)])
    }

    @Test("SQL in a value stays a value")
    func injection() {
        let sql: SQL = "select \("'; drop table accounts; --")"
        #expect(sql.text == "select $1")
    }

    @Test("only unsafeSQL splices text")
    func splice() {
        let sql: SQL = "select * from \(unsafeSQL: "accounts") where id = \(7)"
        #expect(sql.text == "select * from accounts where id = $1")
    }

    @Test("a statement prints neither its text nor its values")
    func printing() {
        let sql: SQL = "select \("hunter2")"
        var dumped = ""
        dump(sql, to: &dumped)
        #expect("\(sql)" == "statement with 1 parameters")
        #expect(!dumped.contains("hunter2"))
    }

    @Test("the cache keeps statements apart by the types of their parameters")
    func cacheKeys() {
        var cache = StatementCache(limit: 10)
        _ = cache.insert(name: cache.newName(), for: "select \(1)")
        let (same, other) = (cache.find("select \(2)"), cache.find("select \("2")"))
        #expect(same?.name == "s1")
        #expect(other == nil)
    }

    @Test("a full cache evicts the least recently used statement")
    func eviction() {
        var cache = StatementCache(limit: 2)
        _ = cache.insert(name: "a", for: "select 1")
        _ = cache.insert(name: "b", for: "select 2")
        let used = cache.find("select 1")
        let evicted = cache.insert(name: "c", for: "select 3")
        let gone = cache.find("select 2")
        #expect(used?.name == "a")
        #expect(evicted?.name == "b")
        #expect(gone == nil)
        #expect(cache.count == 2)
    }
}
