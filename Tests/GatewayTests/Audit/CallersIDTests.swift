import JSON
import Testing

@Suite(.gateway())
struct CallersIDTests {
    @Test("F15: the caller's id is in the header, the server's with it in the problem and the audit row")
    func refusal() async throws {
        let gateway = try GatewayProcess.current
        let given = "caller-\(Fresh.text())"
        var ids: Set<String> = []
        for _ in 0..<2 {
            let answer = try await gateway.send(
                TestRequest("POST", "/v1/sign-in").json(["provider": "nobody", "client_id": "app", "credential": [:]])
                    .header("X-Request-Id", given))
            #expect(answer.header("X-Request-Id") == given)
            let own = try #require(answer.json["request_id"]?.string)
            #expect(own.hasSuffix(".\(given)") && own.utf8.count == 14 + given.utf8.count)
            #expect(try await gateway.audit(requestID: own).map(\.outcome) == ["refused"])
            try await gateway.logged("\"\(own)\"")
            ids.insert(own)
        }
        #expect(ids.count == 2)
    }

    @Test("F13: a token sent as a request id appears in no answer, log line or audit row")
    func token() async throws {
        let gateway = try GatewayProcess.current
        let secret = "\(Fresh.text())A1b2C3d4E5f6".filter { $0.isLetter || $0.isNumber }
        for token in ["fl_\(secret)", "rt_\(secret)", "eyJ\(secret)"] {
            let answer = try await gateway.send(
                TestRequest("POST", "/v1/sign-in").json(["provider": "nobody", "client_id": "app", "credential": [:]])
                    .header("X-Request-Id", token))
            let own = try #require(answer.json["request_id"]?.string)
            #expect(own.wholeMatch(of: /[a-z0-9]{13}/) != nil && answer.header("X-Request-Id") == own)
            #expect(try await gateway.audit(requestID: own).map(\.outcome) == ["refused"])
        }
        // An unreadable request is logged in another place.
        #expect(!gateway.log.contains(secret))
    }

    @Test("F15: without a caller's id, the header has the id of the problem and the audit row")
    func ownID() async throws {
        let gateway = try GatewayProcess.current
        let answer = try await gateway.post(
            "/v1/sign-in", ["provider": "nobody", "client_id": "app", "credential": [:]])
        #expect(answer.requestID.wholeMatch(of: /[a-z0-9]{13}/) != nil)
        #expect(answer.json["request_id"]?.string == answer.requestID)
        #expect(try await gateway.audit(answer).map(\.outcome) == ["refused"])
    }
}
