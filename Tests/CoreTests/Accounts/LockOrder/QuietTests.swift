import TestSupport
import Testing

@testable import Postgres

/// A notification takes a lock of the whole server at its commit, so the common requests send none.
@Suite("Notifications of the request path", .timeLimit(.minutes(2)))
struct QuietTests {
    private static let channels = [
        "gateway_sessions", "gateway_outbox", "gateway_clients", "gateway_messages", "gateway_keys",
    ]

    /// A call of the fixture's first account, with values in place of the usual ones.
    private static func call(_ name: String, _ values: [String: String], _ connection: Connection) throws -> String {
        let call = try #require(try WritingCall.all(connection).first { $0.name == name && $0.account == 1 })
        return try values.reduce(call.text) { text, value in
            let usual = try #require(text.firstMatch(of: try Regex("\\b\(value.key) => \\([^:]*\\)::")), "\(value.key)")
                .range
            return "\(text[..<usual.lowerBound])\(value.key) => (\(value.value))::\(text[usual.upperBound...])"
        }
    }

    private struct Silence: Error {}

    /// The notifications that arrive before a final marker.
    private static func heard(_ listener: ListenerConnection, _ connection: Connection) throws -> [String] {
        try connection.executeScript("notify gateway_keys, 'last'")
        var heard: [String] = []
        while heard.last != "last" {
            guard listener.wait(alsoFor: -1), let list = listener.takeNotifications() else { throw Silence() }
            heard += list.map(\.payload)
        }
        return heard.dropLast()
    }

    @Test("a known sign-in, a new account and a refresh send no notification; the end of a session does")
    func quiet() async throws {
        try await withTestDatabase { database in
            let connection = try Connection(database.configuration())
            try connection.executeScript(LockFixture.script)
            let listener = try ListenerConnection(database.configuration(), channels: Self.channels)
            let calls: [(name: String, values: [String: String], outcome: String)] = [
                ("sign_in", ["p_link_flow": "null"], "signed_in"),
                ("sign_in_new_account", ["p_flow": "null", "p_takes_address": "false"], "signed_in"),
                ("rotate_refresh_token", [:], "rotated"),
            ]
            for call in calls {
                let text = try Self.call(call.name, call.values, connection)
                let outcome: String? = try connection.queryOne("select outcome from (\(unsafeSQL: text)) answer")?
                    .value(0)
                #expect(outcome == call.outcome, "\(call.name)")
                #expect(try Self.heard(listener, connection) == [], "\(call.name)")
            }
            try connection.executeScript("select end_session(fid(1, 1), fid(3, 1), 'test', 'app', 'net', 'req')")
            #expect(try Self.heard(listener, connection).count == 1)
        }
    }
}
