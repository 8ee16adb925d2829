import JSON
import Postgres
import Testing

/// A user's own profile: view and changes.
@Suite(
    "The user's own profile",
    .gateway([
        "CLIENT_ATTRIBUTES": "company,birthdate:date!", "CLIENT_SIGN_UP_NAMES": "email,user_name", "SMS_SENDER": "file",
    ]))
struct ProfileTests {
    /// Signs up by a user name, with a proved address.
    private func person(_ gateway: GatewayProcess, _ name: String) async throws -> SignedInAnswer {
        let email = Fresh.email()
        let begun = try PendingAnswer(
            try await gateway.post(
                "/v1/sign-up",
                [
                    "client_id": "app", "username": .string(name), "password": .string(GatewayProcess.password),
                    "email": .string(email), "attributes": ["birthdate": "2001-12-31"],
                ]))
        let code = try await gateway.mailedCode(to: email, number: 1)
        return try SignedInAnswer(
            try await gateway.post(
                "/v1/sign-up/confirm", ["flow": .string(begun.flow), "response": ["code": .string(code)]]))
    }

    @Test("names, numbers and attributes are shown, and another client's attributes are not")
    func shown() async throws {
        let gateway = try GatewayProcess.current
        let (name, phone) = ("Ann-\(Fresh.text())", GatewayProcess.freshPhone())
        let person = try await person(gateway, name)
        try await gateway.change(
            """
            update accounts set attributes = attributes || '{"shoe_size": 42}' where id = \(person.account)::uuid
            """)
        try await gateway.change(
            "insert into account_phones (account_id, phone_key, source) values (\(person.account)::uuid, \(phone), 'person')"
        )
        let profile = try await gateway.get("/v1/account", bearer: person.accessToken).json
        #expect(profile["user_name"]?.string == name)
        #expect(profile["phone"]?.string == phone && profile["phone_verified"] == false)
        #expect(profile["attributes"] == ["birthdate": "2001-12-31"])
        #expect(profile["first_factor"] == .null)
    }

    @Test("sent members change, null removes, the rest stays, and one audit row lists the change")
    func changed() async throws {
        let gateway = try GatewayProcess.current
        let person = try await person(gateway, "ben-\(Fresh.text())")
        func patch(_ change: JSON) async throws -> TestAnswer {
            try await gateway.patch("/v1/account", change, bearer: person.accessToken)
        }
        let first = try await patch([
            "display_name": "Ben", "attributes": ["company": "Acme"], "first_factor": "password",
        ])
        #expect(first.status == 200, "\(first.text)")
        #expect(first.json["attributes"] == ["company": "Acme", "birthdate": "2001-12-31"])
        #expect(first.json["display_name"] == "Ben" && first.json["first_factor"] == "password")
        #expect(try await gateway.audit(first).map(\.action) == ["profile_changed"])
        let second = try await patch(["attributes": ["company": .null], "first_factor": .null])
        #expect(second.json["attributes"] == ["birthdate": "2001-12-31"])
        #expect(second.json["display_name"] == "Ben" && second.json["first_factor"] == .null)
        let nothing = try await patch([:])
        #expect(nothing.json == second.json)
        #expect(try await gateway.audit(nothing, atLeast: 0).isEmpty)
    }

    private static let refusals: [(JSON, String, String)] = [
        (["attributes": ["birthdate": "2001-02-30"]], "/attributes/birthdate", "not_a_date"),
        (["attributes": ["birthdate": .null]], "/attributes/birthdate", "required"),
        (["attributes": ["shoe_size": 42]], "/attributes/shoe_size", "unknown"),
        (["attributes": "company"], "/attributes", "must_be_object"),
        (["first_factor": "totp"], "/first_factor", "not_offered"),
        (["first_factor": 1], "/first_factor", "must_be_text"),
        (["user_name": "eve"], "/user_name", "can_not_be_changed_here"),
        (["phone_verified": true], "/phone_verified", "can_not_be_changed_here"),
        (["display_name": ["Ann"]], "/display_name", "must_be_text"),
    ]

    @Test("a read-only member is refused, and nothing changes", arguments: refusals)
    func refused(change: JSON, pointer: String, reason: String) async throws {
        let gateway = try GatewayProcess.current
        let person = try await person(gateway, "cleo-\(Fresh.text())")
        var body = change.object ?? [:]
        if body["display_name"] == nil { body["display_name"] = "Changed" }
        let answer = try await gateway.patch("/v1/account", .object(body), bearer: person.accessToken)
        try await gateway.expectRefusal(answer, 400, "invalid_request", action: "change_account")
        let error = answer.json["errors"]?.array?.first
        #expect(error?["pointer"]?.string == pointer && error?["code"]?.string == reason, "\(answer.text)")
        #expect(
            try await gateway.get("/v1/account", bearer: person.accessToken).json["display_name"] == .null)
    }

    @Test("every invalid attribute is listed")
    func allAttributes() async throws {
        let gateway = try GatewayProcess.current
        let person = try await person(gateway, "dora-\(Fresh.text())")
        let change: JSON = ["attributes": ["shoe_size": 42, "birthdate": "yesterday", "a/b": "x"]]
        let answer = try await gateway.patch("/v1/account", change, bearer: person.accessToken)
        try await gateway.expectRefusal(answer, 400, "invalid_request", action: "change_account")
        let errors = (answer.json["errors"]?.array ?? []).map {
            "\($0["pointer"]?.string ?? "") \($0["code"]?.string ?? "")"
        }
        #expect(
            Set(errors) == [
                "/attributes/shoe_size unknown", "/attributes/birthdate not_a_date", "/attributes/a~1b unknown",
            ])
    }
}
