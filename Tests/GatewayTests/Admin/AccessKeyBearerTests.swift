import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Access keys as bearer tokens of the administration API", .gateway())
struct AccessKeyBearerTests {
    private static let why: JSON = ["reason": "a test of keys"]

    @Test("K-01: a key acts with its role, and each row of its changes names it")
    func role() async throws {
        let holder = try await AccessKeyHolder.issue("support")
        let me = try await holder.call("GET", "me")
        #expect(me.json == ["account": .null, "access_key": .string(holder.id), "role": "support"])
        let person = try await holder.gateway.signUp(Fresh.email(), app: holder.app)
        let path = "accounts/\(person.account)"
        let disabled = try await holder.call("POST", "\(path)/disable", Self.why)
        #expect(disabled.status == 200 && disabled.json["account"]?["status"] == "disabled", "\(disabled.text)")
        let actor = try await holder.actor
        let rows = try await holder.gateway.audit(disabled)
        #expect(rows.contains { $0.action == "account_disabled" && $0.words == "a test of keys" })
        #expect(rows.allSatisfy { $0.actor == actor })
        let history = try await holder.call("GET", "\(path)/history")
        let event = history.json["events"]?.array?.first { $0["action"] == "account_disabled" }
        #expect(event?["actor_name"]?.string == "ak_\(holder.id)")
        let refused = try await holder.call("DELETE", path, Self.why)
        try await holder.gateway.expectRefusal(refused, 403, "role_too_low", action: "delete_account")
        let row = try #require(try await holder.gateway.audit(refused).first)
        #expect(row.client == holder.app && row.detail == ["key": .string(holder.id)])
    }

    @Test("K-02: no key issues or revokes a key, grants a role or sees operators")
    func noMoreRights() async throws {
        let holder = try await AccessKeyHolder.issue("admin", ["reach": "gateway"])
        let viewer = try await holder.gateway.operatorSession("viewer")
        let keys = "clients/\(holder.app)/access-keys"
        for (method, path, body, action) in [
            ("POST", keys, ["role": "viewer", "reason": "a test"], "change_access_keys"),
            ("DELETE", "\(keys)/\(holder.id)", Self.why, "change_access_keys"),
            ("PUT", "operators/\(viewer.account)", ["role": "admin", "reason": "a test"], "change_role"),
            ("POST", "clients", ["id": "more", "reason": "a test"], "trust_client"),
            ("GET", "operators", nil, "show_operators"),
        ] as [(String, String, JSON?, String)] {
            let refused = try await holder.call(method, path, body)
            try await holder.gateway.expectRefusal(refused, 403, "out_of_reach", action: action)
        }
        // An operator's account does not exist for a key.
        for path in ["accounts/\(viewer.account)", "operators/\(viewer.account)/methods"] {
            #expect(try await holder.call("GET", path).code == "not_found", "\(path)")
        }
        let change = try await holder.call("POST", "accounts/\(viewer.account)/disable", Self.why)
        #expect(change.code == "not_found", "\(change.text)")
        // The rules for the command line, which has no actor either, are not those of a key.
        let console = try await holder.call("PATCH", "clients/console", ["name": "Mine", "reason": "a test"])
        try await holder.gateway.expectRefusal(console, 403, "role_too_low", action: "change_client")
    }

    @Test("K-03: a key finds and changes the accounts that it reaches, and nothing of the whole service")
    func reach() async throws {
        let (holder, whole) = (
            try await AccessKeyHolder.issue("admin"), try await AccessKeyHolder.issue("admin", ["reach": "gateway"])
        )
        let gateway = holder.gateway
        let (email, other) = (Fresh.email(), Fresh.email())
        let mine = try await gateway.signUp(email, app: holder.app)
        let theirs = try await gateway.signUp(other, app: try await AccessKeyHolder.addApp(gateway))
        func found(_ text: String, by holder: AccessKeyHolder) async throws -> [String] {
            let answer = try await holder.call("GET", "accounts?q=\(text)")
            return answer.json["accounts"]?.array?.compactMap { $0["id"]?.string } ?? [answer.text]
        }
        #expect(try await found(email, by: holder) == [mine.account])
        #expect(try await found(other, by: holder) == [])
        #expect(try await found(other, by: whole) == [theirs.account])
        #expect(try await holder.call("GET", "accounts/\(mine.account)").status == 200)
        for path in ["", "/history", "/suggestions"] {
            let hidden = try await holder.call("GET", "accounts/\(theirs.account)\(path)")
            #expect(hidden.status == 404 && hidden.code == "not_found", "\(path): \(hidden.text)")
        }
        let refused = try await holder.call("POST", "accounts/\(theirs.account)/disable", Self.why)
        try await gateway.expectRefusal(refused, 404, "not_found", action: "disable_account")
        let merged: JSON = ["absorb": .string(theirs.account)]
        let preview = try await holder.call("POST", "accounts/\(mine.account)/merge/preview", merged)
        #expect(preview.code == "not_found", "\(preview.text)")
        for path in ["clients", "audit", "overview", "providers", "events/endpoints", "messages"] {
            #expect(try await holder.call("GET", path).code == "out_of_reach", "\(path)")
            #expect(try await whole.call("GET", path).status == 200, "\(path)")
        }
    }

    @Test("K-04: a wrong, foreign or revoked key opens nothing; a revocation counts at once")
    func wrong() async throws {
        let holder = try await AccessKeyHolder.issue("viewer")
        let other = try await AccessKeyHolder.issue("viewer")
        let secret = holder.key.dropFirst(23)
        for key in [
            "ak_", "ak_\(holder.id)", String(holder.key.dropLast()), holder.key + "A", "ak_\(other.id)\(secret)",
            "ak_GWAAAAAAAAAAAAAAAAAA\(secret)",
        ] {
            let refused = try await holder.gateway.admin("GET", "me", bearer: key)
            try await holder.gateway.expectRefusal(refused, 401, "access_key_invalid", action: "show_role")
            #expect(refused.header("WWW-Authenticate")?.contains("invalid_token") == true)
        }
        #expect(try await holder.gateway.get("/v1/account", bearer: holder.key).status == 401)
        // The server may still hold the key, but the transaction of the call sees the revocation.
        try await holder.gateway.change("update access_keys set revoked_at = now() where id = \(holder.id)")
        let late = try await holder.call("GET", "accounts?q=")
        #expect([401, 403].contains(late.status), "\(late.text)")
        try await poll { try await holder.call("GET", "me").code == "access_key_invalid" ? () : nil }
    }

    @Test("K-05: a key works until its end, and from its networks only")
    func limits() async throws {
        let holder = try await AccessKeyHolder.issue("viewer", ["networks": ["127.0.0.0/8", "::1"]])
        #expect(try await holder.call("GET", "me").status == 200)
        let elsewhere = try await AccessKeyHolder.issue("viewer", ["networks": ["203.0.113.0/24"]])
        let refused = try await elsewhere.call("GET", "me")
        try await holder.gateway.expectRefusal(refused, 403, "network_not_allowed", action: "show_role")
        let row = try #require(try await holder.gateway.audit(refused).first)
        #expect(row.client == elsewhere.app && row.detail == ["key": .string(elsewhere.id)])
        // The header of a peer that is no trusted proxy.
        let forged = TestRequest("GET", "/admin/api/v1/me").bearer(elsewhere.key)
            .header("X-Forwarded-For", "203.0.113.7")
        #expect(try await holder.gateway.send(forged).code == "network_not_allowed")
        try await holder.gateway.change(
            "update access_keys set expires_at = now() - interval '1 second' where id = \(holder.id)")
        let late = try await holder.call("GET", "accounts?q=")
        #expect(late.status != 200, "\(late.text)")
        try await poll { try await holder.call("GET", "me").code == "access_key_expired" ? () : nil }
    }

    @Test("the list shows how a key begins, its limits and its last use, and never the key")
    func list() async throws {
        let holder = try await AccessKeyHolder.issue(
            "viewer", ["networks": ["127.0.0.1", "::1"], "expires_in_days": 30])
        let owner = try await holder.gateway.operatorSession("owner")
        let path = "clients/\(holder.app)/access-keys"
        let entry = try await poll {
            let list = try await holder.gateway.admin("GET", path, by: owner)
            #expect(!list.text.contains(holder.key.dropFirst(23)))
            return list.json["access_keys"]?.array?.first.flatMap { $0["used_at"] == .null ? nil : $0 }
        }
        #expect(entry["prefix"]?.string == "ak_\(holder.id)" && holder.key.hasPrefix("ak_\(holder.id)"))
        #expect(entry["networks"] == ["127.0.0.1", "::1"] && entry["means"] == "secret" && entry["signs"] == false)
        let days = try await holder.gateway.count(
            "select extract(day from expires_at - issued_at)::bigint from access_keys where id = \(holder.id)")
        #expect(days == 30)
        let stored = try await holder.gateway.count(
            "select count(*) from access_keys where id = \(holder.id) and octet_length(secret_digest) = 32 and secret_sealed is null"
        )
        #expect(stored == 1)
        let endless = try await AccessKeyHolder.issue("viewer", ["expires_in_days": .null], of: holder.app)
        let never = try await holder.gateway.count(
            "select count(*) from access_keys where id = \(endless.id) and expires_at is null")
        #expect(never == 1)
    }

    @Test("a member of another form is refused, and named")
    func malformed() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner")
        let path = "clients/\(try await AccessKeyHolder.addApp(gateway))/access-keys"
        for (member, value, pointer) in [
            ("networks", ["10.1.2.3/8"], "/networks/0"), ("networks", "10.0.0.0/8", "/networks"),
            ("expires_in_days", 0, "/expires_in_days"), ("expires_in_days", 3_651, "/expires_in_days"),
            ("expires_in_days", "30", "/expires_in_days"), ("means", "password", "/means"),
            // The app is public.
            ("means", "client_credentials", "/means"),
        ] as [(String, JSON, String)] {
            var body: JSONObject = ["role": "viewer", "reason": "a test"]
            body[member] = value
            let refused = try await gateway.admin("POST", path, .object(body), by: owner)
            try await gateway.expectRefusal(refused, 400, "invalid_request", action: "change_access_keys")
            #expect(refused.json["errors"]?.array?.first?["pointer"]?.string == pointer)
        }
    }
}
