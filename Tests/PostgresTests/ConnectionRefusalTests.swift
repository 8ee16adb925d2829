import Testing

@testable import Postgres

@Suite("The reason for a refused connection")
struct ConnectionRefusalTests {
    @Test("K9: the code and the sentence are read in any language, of the last host that answered")
    func read() {
        let text = """
            connection to server at "::1", port 5432 failed: Connection refused
            connection to server at "db" (192.0.2.1), port 5432 failed: FATAL:  28P01: password authentication failed for user "login"
            LOCATION:  auth_failed, auth.c:338
            connection to server on socket "/run/.s.PGSQL.5432" failed: ВАЖНО:  3D000: database "login" does not exist
            """
        #expect(
            ConnectionRefusal.read(text)
                == ConnectionRefusal(
                    state: .undefinedDatabase, message: #"database "login" does not exist"#))
        #expect(
            ConnectionRefusal.read(String(text.split(separator: "\n")[1]))?.state == .invalidPassword)
    }

    @Test("K9: without an answer there is no reason to read")
    func silent() async {
        #expect(
            ConnectionRefusal.read("connection to server at \"::1\", port 5432 failed: Connection refused") == nil)
        #expect(
            ConnectionRefusal.read("connection to server on socket \"/nowhere/.s.PGSQL.5432\" failed: No such file")
                == nil)
        #expect(await ConnectionRefusal.found(PostgresConfiguration(url: "host=/nowhere dbname=x")) == nil)
    }
}
