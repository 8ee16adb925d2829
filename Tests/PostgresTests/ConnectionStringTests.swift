import Testing

@testable import Postgres

@Suite struct ConnectionStringTests {
    @Test(
        "both forms are read",
        arguments: [
            "postgresql://app:pa%20ss@db.example:5433/main",
            "host=db.example port=5433 user=app password='pa ss' dbname=main",
        ])
    func forms(text: String) throws {
        let options = try ConnectionString.options(of: text)
        for (keyword, value) in [
            ("host", "db.example"), ("port", "5433"), ("user", "app"), ("password", "pa ss"), ("dbname", "main"),
        ] {
            #expect(options.contains(.init(keyword: keyword, value: value)))
        }
    }

    @Test("another database on the same server, with any characters in the password")
    func replacing() throws {
        let text = try ConnectionString.replacingDatabase(
            in: "postgresql://app:a'b%5Cc@/main?host=/tmp/x", with: "other")
        let options = try ConnectionString.options(of: text)
        #expect(options.contains(.init(keyword: "password", value: "a'b\\c")))
        #expect(options.contains(.init(keyword: "host", value: "/tmp/x")))
        #expect(options.filter { $0.keyword == "dbname" } == [.init(keyword: "dbname", value: "other")])
    }

    @Test(
        "an invalid connection string is refused without being quoted",
        arguments: ["hunter2", "postgresql://a:b@c:d:e/f?x"])
    func refused(text: String) {
        let configuration = PostgresConfiguration(url: text)
        #expect(throws: PostgresError.misconfigured) { try configuration.validate() }
        #expect(!PostgresError.misconfigured.diagnostic.contains(text))
    }

    @Test("a configuration never prints its connection string")
    func printing() {
        let configuration = PostgresConfiguration(url: "postgresql://app:hunter2@db/main")
        var dumped = "\(configuration) \(String(reflecting: configuration))"
        dump(configuration, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}
