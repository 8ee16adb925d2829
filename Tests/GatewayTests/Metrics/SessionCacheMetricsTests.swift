import TestSupport
import Testing

@Suite("The size of the session caches")
struct SessionCacheMetricsTests {
    @Test("K8: the gauges of both caches rise through the running server as sessions are checked")
    func gauges() async throws {
        // A port that was free a moment ago.
        let port = try await PlainListener.run { server in server.port }
        try await withDeployment { deployment in
            try await deployment.serving(["OPS_PORT": "\(port)"]) { gateway in
                let operations = TestClient(port: port)
                let before = try await Self.taken(operations)
                #expect(before.session == 0 && before.token == 0)
                var last = before
                // Another user each time, because a cached session needs no more memory.
                for _ in 0..<3 {
                    let person = try await gateway.signUp(Fresh.email())
                    // A row read during a notification is not cached, so it may need a second check.
                    last = try await poll(within: .seconds(60)) { () -> Taken? in
                        #expect(try await gateway.checkSession(person.accessToken).status == 200)
                        let now = try await Self.taken(operations)
                        return now.session > last.session && now.token > last.token ? now : nil
                    }
                }
            }
        }
    }

    private typealias Taken = (session: Int, token: Int)

    /// The values of the metrics; 0 for a missing gauge.
    private static func taken(_ operations: TestClient) async throws -> Taken {
        let page = try await operations.send(TestRequest("GET", "/metrics"))
        #expect(page.status == 200)
        func gauge(_ kind: String) -> Int {
            let name = "session_cache_bytes{kind=\"\(kind)\"} "
            let line = page.text.split(separator: "\n").first { $0.hasPrefix(name) }
            return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
        }
        return (gauge("session"), gauge("token"))
    }
}
