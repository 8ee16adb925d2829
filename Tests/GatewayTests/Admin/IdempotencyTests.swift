import Foundation
import JSON
import Postgres
import Testing

@Suite("Repeated calls with an Idempotency-Key", .gateway(), .serialized)
struct IdempotencyTests {
    private static func call(
        _ gateway: GatewayProcess, _ path: String, _ body: JSONObject, key: String, by operator_: SignedInAnswer
    ) async throws -> TestAnswer {
        var sent = body
        sent["reason"] = sent["reason"] ?? "a test"
        let request = TestRequest("POST", "/admin/api/v1/\(path)").bearer(operator_.accessToken)
        return try await gateway.send(request.json(.object(sent)).header("Idempotency-Key", key))
    }

    @Test("Q-01: a repeated call gets the first answer, secret included, and creates nothing more")
    func repeated() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let app = try await AccessKeyHolder.addApp(gateway)
        let calls: [(path: String, body: JSONObject)] = [
            ("clients/\(app)/access-keys", ["role": "viewer"]),
            ("events/endpoints", ["url": .string("https://\(Fresh.text()).example/events"), "types": []]),
            ("clients", ["id": .string("made-\(Fresh.text())"), "confidential": true, "providers": ["password"]]),
            ("accounts", ["email": .string(Fresh.email()), "email_verified": true]),
        ]
        for (path, body) in calls {
            let key = Fresh.text()
            let first = try await Self.call(gateway, path, body, key: key, by: owner)
            #expect(first.status == 201 && first.header("Idempotency-Replayed") == nil, "\(first.text)")
            let again = try await Self.call(gateway, path, body, key: key, by: owner)
            #expect(again.status == 201 && again.header("Idempotency-Replayed") == "true", "\(again.text)")
            #expect(again.json == first.json, "\(path)")
            for secret in [first.json["key"]?.string, first.json["secret"]?.string].compactMap(\.self) {
                let stored = try await gateway.count(
                    "select count(*) from idempotent_calls where position(\(Array(secret.utf8)) in answer_sealed) > 0")
                #expect(stored == 0)
            }
        }
        #expect(try await gateway.count("select count(*) from access_keys where client_id = \(app)") == 1)
    }

    @Test("Q-04: the database has no bare digest of a request: one of a password could be guessed")
    func sealedRequests() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let path = "clients/\(try await AccessKeyHolder.addApp(gateway))/access-keys"
        try await gateway.change("delete from idempotent_calls")
        for _ in 0..<2 {
            let made = try await Self.call(gateway, path, ["role": "viewer"], key: Fresh.text(), by: owner)
            #expect(made.status == 201, "\(made.text)")
        }
        // The digests of two equal requests are equal, their seals are not.
        let stored: SQL = "select count(distinct request_sealed) from idempotent_calls"
        #expect(try await gateway.count(stored) == 2)
    }

    @Test("Q-02: a key belongs to its caller and its request, and to nobody after 24 hours")
    func bound() async throws {
        let gateway = try GatewayProcess.current
        let (one, other) = (try await gateway.operatorSession("owner"), try await gateway.operatorSession("owner"))
        let app = try await AccessKeyHolder.addApp(gateway)
        let (path, key) = ("clients/\(app)/access-keys", Fresh.text())
        let first = try await Self.call(gateway, path, ["role": "viewer"], key: key, by: one)
        let changed = try await Self.call(gateway, path, ["role": "support"], key: key, by: one)
        try await gateway.expectRefusal(changed, 422, "idempotency_key_reused", action: "change_access_keys")
        let elsewhere = try await AccessKeyHolder.addApp(gateway)
        let moved = try await Self.call(
            gateway, "clients/\(elsewhere)/access-keys", ["role": "viewer"], key: key, by: one)
        #expect(moved.code == "idempotency_key_reused", "\(moved.text)")
        let theirs = try await Self.call(gateway, path, ["role": "viewer"], key: key, by: other)
        #expect(theirs.status == 201 && theirs.json["id"] != first.json["id"], "\(theirs.text)")
        try await gateway.change("update idempotent_calls set expires_at = now()")
        let later = try await Self.call(gateway, path, ["role": "viewer"], key: key, by: one)
        #expect(later.status == 201 && later.json["id"] != first.json["id"], "\(later.text)")
        for malformed in [String(repeating: "a", count: 256), "a b"] {
            let refused = try await Self.call(gateway, path, ["role": "viewer"], key: malformed, by: one)
            #expect(refused.status == 400 && refused.code == "invalid_request", "\(malformed): \(refused.text)")
        }
    }

    @Test("Q-02: the answer of a lost role is not repeated, and a refused call keeps no answer")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let (key, email) = (Fresh.text(), Fresh.email())
        let wrong = try await Self.call(gateway, "accounts", ["email": "nobody"], key: key, by: admin)
        #expect(wrong.status == 400)
        let made = try await Self.call(gateway, "accounts", ["email": .string(email)], key: key, by: admin)
        #expect(made.status == 201, "\(made.text)")
        try await gateway.change("update operators set role = 'viewer' where account_id = \(admin.account)::uuid")
        let late = try await Self.call(gateway, "accounts", ["email": .string(email)], key: key, by: admin)
        try await gateway.expectRefusal(late, 403, "role_too_low", action: "create_account")
    }

    @Test("Q-03: of two calls at once one creates, and the other gets its answer or waits for another try")
    func together() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        for _ in 0..<5 {
            let (app, key) = (try await AccessKeyHolder.addApp(gateway), Fresh.text())
            let answers = try await inParallel(0..<4) { _ in
                try await Self.call(gateway, "clients/\(app)/access-keys", ["role": "viewer"], key: key, by: owner)
            }
            #expect(answers.allSatisfy { $0.status == 201 || $0.code == "idempotency_key_busy" })
            #expect(Set(answers.compactMap { $0.json["id"]?.string }).count == 1)
            #expect(try await gateway.count("select count(*) from access_keys where client_id = \(app)") == 1)
        }
    }

    @Test("an answer that was lost is no reason to create it again")
    func lost() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let (app, key) = (try await AccessKeyHolder.addApp(gateway), Fresh.text())
        let path = "clients/\(app)/access-keys"
        let first = try await Self.call(gateway, path, ["role": "viewer"], key: key, by: owner)
        #expect(first.status == 201)
        // As after a crash between the commit and the answer.
        try await gateway.change("update idempotent_calls set answer_sealed = null")
        let again = try await Self.call(gateway, path, ["role": "viewer"], key: key, by: owner)
        try await gateway.expectRefusal(again, 409, "idempotency_key_busy", action: "change_access_keys")
        #expect(try await gateway.count("select count(*) from access_keys where client_id = \(app)") == 1)
    }
}
