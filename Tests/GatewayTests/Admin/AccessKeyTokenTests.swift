import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Access keys by client credentials", .gateway())
struct AccessKeyTokenTests {
    /// A confidential app with a key that has no secret.
    private static func party(_ more: JSONObject = [:]) async throws -> RelyingParty {
        let party = try await RelyingParty.register(["service_account": true])
        let owner = try await party.gateway.operatorSession("owner")
        var body = more
        (body["role"], body["means"], body["reason"]) = ("support", "client_credentials", "a test")
        let made = try await party.gateway.admin(
            "POST", "clients/\(party.id)/access-keys", .object(body), by: owner)
        try #require(made.status == 201 && made.json["key"] == .null && made.json["secret"] == .null, "\(made.text)")
        try await poll { try await ask(party).status == 200 ? () : nil }
        return party
    }

    private static func ask(_ party: RelyingParty, _ more: [(String, String)] = []) async throws -> TestAnswer {
        let issuer = try #require(
            try await party.gateway.get("/.well-known/openid-configuration").json["issuer"]?.string)
        let fields = [("grant_type", "client_credentials"), ("resource", "\(issuer)/admin/api/v1")]
        return try await party.gateway.form("/v1/token", fields + more, client: party.id, secret: party.secret)
    }

    @Test("K-06: an app with such a key gets a token that acts as the key, until the key is revoked")
    func token() async throws {
        let party = try await Self.party()
        let answer = try await Self.ask(party)
        let token = try #require(answer.json["access_token"]?.string, "\(answer.text)")
        #expect(answer.json["refresh_token"] == nil && answer.json["token_type"] == "Bearer")
        let me = try await party.gateway.admin("GET", "me", bearer: token)
        #expect(me.json["role"] == "support" && me.json["account"] == .null, "\(me.text)")
        let person = try await party.gateway.signUp(Fresh.email(), app: party.id)
        let path = "accounts/\(person.account)"
        let disabled = try await party.gateway.admin("POST", "\(path)/disable", ["reason": "a test"], bearer: token)
        #expect(disabled.status == 200, "\(disabled.text)")
        let deleted = try await party.gateway.admin("DELETE", path, ["reason": "a test"], bearer: token)
        #expect(deleted.code == "role_too_low")
        // It opens nothing else, and another token of the app does not open the administration.
        #expect(try await party.userInfo(token).status == 401)
        try await party.gateway.change(
            "update access_keys set revoked_at = now() where client_id = \(party.id)")
        let late = try await party.gateway.admin("GET", "accounts?q=", bearer: token)
        #expect([401, 403].contains(late.status), "\(late.text)")
        try await poll { try await Self.ask(party).json["error"] == "unauthorized_client" ? () : nil }
    }

    @Test("K-07: an app without such a key, and a token for the app's own API, do not open the administration")
    func absent() async throws {
        let party = try await RelyingParty.register(["service_account": true])
        let refused = try await Self.ask(party)
        #expect(refused.status == 400 && refused.json["error"] == "unauthorized_client", "\(refused.text)")
        let own = try await party.gateway.form(
            "/v1/token", [("grant_type", "client_credentials")], client: party.id, secret: party.secret)
        let token = try #require(own.json["access_token"]?.string)
        let opened = try await party.gateway.admin("GET", "me", bearer: token)
        try await party.gateway.expectRefusal(opened, 401, "access_token_invalid", action: "show_role")
    }

    @Test("K-06: a disabling ends the app's tokens for good, also after it is enabled again")
    func disabled() async throws {
        let party = try await Self.party()
        let token = try #require(try await Self.ask(party).json["access_token"]?.string)
        let own = try #require(
            try await party.gateway.form(
                "/v1/token", [("grant_type", "client_credentials")], client: party.id, secret: party.secret
            ).json["access_token"]?.string)
        func opens() async throws -> [Bool] {
            let seen = try await party.gateway.form(
                "/v1/token/introspect", [("token", own)], client: party.id, secret: party.secret)
            return [
                try await party.gateway.admin("GET", "me", bearer: token).status == 200, seen.json["active"] == true,
            ]
        }
        #expect(try await opens() == [true, true])
        // An `iat` has whole seconds: this enabling is two seconds after it.
        try await party.gateway.change(
            "update clients set live_since = now() + interval '2 seconds' where id = \(party.id)")
        try await poll { try await opens() == [false, false] ? () : nil }
        try await party.gateway.change(
            "update clients set live_since = now() - interval '1 hour' where id = \(party.id)")
        try await poll { try await opens() == [true, true] ? () : nil }
    }

    @Test("the token needs the network and the time of the key; a scope is refused")
    func limits() async throws {
        let party = try await Self.party()
        let scoped = try await Self.ask(party, [("scope", "openid")])
        #expect(scoped.json["error"] == "invalid_scope", "\(scoped.text)")
        for (change, code) in [
            ("networks = '{203.0.113.7}'", "network_not_allowed"),
            ("networks = '{}', expires_at = now() - interval '1 second'", "access_key_expired"),
        ] {
            try await party.gateway.change(
                "update access_keys set \(unsafeSQL: change) where client_id = \(party.id)")
            let refused = try await poll {
                let answer = try await Self.ask(party)
                return answer.json["code"]?.string == code ? answer : nil
            }
            #expect(refused.status == 400 && refused.json["error"] == "unauthorized_client")
        }
    }

    @Test("K-07: only an owner changes an app that acts as an operator, or its secret")
    func protected() async throws {
        let party = try await Self.party()
        let admin = try await party.gateway.operatorSession("admin")
        for (method, path) in [("PATCH", "clients/\(party.id)"), ("POST", "clients/\(party.id)/secret")] {
            let body: JSON = method == "PATCH" ? ["name": "Mine", "reason": "a test"] : ["reason": "a test"]
            let refused = try await party.gateway.admin(method, path, body, by: admin)
            try await party.gateway.expectRefusal(refused, 403, "role_too_low", action: "change_client")
        }
    }

    /// The role of the key that a new token of the app names, with the token.
    private static func role(_ party: RelyingParty) async throws -> (role: String?, token: String) {
        let token = try #require(try await ask(party).json["access_token"]?.string)
        return (try await party.gateway.admin("GET", "me", bearer: token).json["role"]?.string, token)
    }

    @Test("two such keys live beside each other: tokens are for the newest that works, and those of the earlier go on")
    func beside() async throws {
        let party = try await Self.party()
        let first = try await Self.role(party)
        #expect(first.role == "support")
        let owner = try await party.gateway.operatorSession("owner")
        let path = "clients/\(party.id)/access-keys"
        let body: JSON = ["role": "viewer", "means": "client_credentials", "reason": "a test"]
        let made = try await party.gateway.admin("POST", path, body, by: owner)
        let newest = try #require(made.json["id"]?.string, "\(made.text)")
        for limit in ["networks = '{203.0.113.7}'", "expires_at = now()", "revoked_at = now()"] {
            try await poll { try await Self.role(party).role == "viewer" ? () : nil }
            #expect(try await party.gateway.admin("GET", "me", bearer: first.token).json["role"] == "support")
            try await party.gateway.change("update access_keys set \(unsafeSQL: limit) where id = \(newest)")
            try await poll { try await Self.role(party).role == "support" ? () : nil }
            try await party.gateway.change(
                "update access_keys set networks = '{}', expires_at = null, revoked_at = null where id = \(newest)")
        }
        let keys = try await party.gateway.admin("GET", path, by: owner).json["access_keys"]?.array ?? []
        #expect(keys.map { $0["role"] } == ["viewer", "support"])
    }
}
