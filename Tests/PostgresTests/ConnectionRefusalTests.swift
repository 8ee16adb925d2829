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

    @Test("K9: without an answer, the last line about a host is the reason")
    func silent() async {
        let text = """
            connection to server at "::1", port 1 failed: Connection refused
            connection to server at "127.0.0.1", port 1 failed: Connection refused
            \tIs the server running on that host and accepting TCP/IP connections?
            """
        let reason = #"connection to server at "127.0.0.1", port 1 failed: Connection refused"#
        #expect(ConnectionRefusal.read(text) == ConnectionRefusal(state: nil, message: reason))
        let unknown = #"could not translate host name "db" to address: Name or service not known"#
        #expect(ConnectionRefusal.read(unknown)?.message == unknown)
        let absent = await ConnectionRefusal.found(PostgresConfiguration(url: "host=/nowhere dbname=x"))
        #expect(absent?.state == nil && absent?.message.contains("/nowhere/.s.PGSQL.5432") == true)
    }

    @Test(
        "K9: no sentence that may quote a part of the password is a reason",
        arguments: [
            #"could not translate host name "word@db" to address: Name or service not known"#,
            #"connection to server at "word@db", port 5432 failed: Connection refused"#,
            #"invalid integer value "pass" for connection option "port""#,
        ])
    func passwords(line: String) { #expect(ConnectionRefusal.read(line) == nil) }
}
