import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// `tier` has no declared writer: a user pool's custom attribute, which the back end writes.
@Suite(
    "The writers of attributes",
    .gateway(["CLIENT_ATTRIBUTES": "given_name,tier,plan:user,code:back_end,tie:shared:user"]))
struct CognitoAttributeTests {
    private static func pairs(_ values: [String: String]) -> JSON {
        .array(values.map { ["Name": .string($0.key), "Value": .string($0.value)] })
    }

    @Test("3-D7: users do not write an attribute of the back end, at any door of the API")
    func users() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        for name in ["custom:tier", "custom:code"] {
            let refused = try await api.call(
                "SignUp",
                [
                    "Username": .string(Fresh.email()), "Password": .string(GatewayProcess.password),
                    "UserAttributes": Self.pairs([name: "admin"]),
                ])
            #expect(refused["message"] == "A client attempted to write unauthorized attribute", "\(refused.text)")
        }
        let email = Fresh.email()
        try await api.signUp(email)
        let tokens = try CognitoTokensAnswer(try await api.passwordAuth(email))
        let access = JSON.string(tokens.accessToken)
        func update(_ values: [String: String]) async throws -> JSON {
            try await api.call("UpdateUserAttributes", ["AccessToken": access, "UserAttributes": Self.pairs(values)])
        }
        func give(_ values: [String: String]) async throws -> JSON {
            try await backEnd.call(
                "AdminUpdateUserAttributes", ["Username": .string(email), "UserAttributes": Self.pairs(values)])
        }
        #expect(try await update(["custom:plan": "mine", "given_name": "Ann"])["error"] == nil)
        #expect(try await update(["custom:tier": "admin"])["error"] == "NotAuthorizedException")
        #expect(try await give(["custom:tier": "gold", "given_name": "Anne"])["error"] == nil)
        #expect(try await give(["custom:plan": "theirs"])["error"] == "NotAuthorizedException")
        let removed = try await api.call(
            "DeleteUserAttributes", ["AccessToken": access, "UserAttributeNames": ["custom:tier"]])
        #expect(removed["error"] == "NotAuthorizedException", "\(removed.text)")
        let claims = try CognitoTokensAnswer(try await api.passwordAuth(email)).identity
        #expect(claims["custom:tier"] == "gold" && claims["custom:plan"] == "mine" && claims["given_name"] == "Anne")
    }

    @Test("3-D7: nor at the gateway's own API and on its sign-up page")
    func own() async throws {
        let api = try await CognitoAPI.current
        let gateway = api.gateway
        func sent(_ name: String) -> JSON { ["attributes": [name: "admin"]] }
        let begun = try await gateway.post(
            "/v1/sign-up",
            [
                "client_id": "app", "username": .string(Fresh.email()), "password": .string(GatewayProcess.password),
                "attributes": ["code": "admin"],
            ])
        #expect(begun.status == 400 && begun.json["errors"]?.array?.first?["pointer"] == "/attributes/code")
        #expect(begun.json["errors"]?.array?.first?["code"] == "not_writable", "\(begun.text)")
        let person = try await gateway.signUp(Fresh.email())
        let changed = try await gateway.patch("/v1/account", sent("tier"), bearer: person.accessToken)
        #expect(changed.status == 400 && changed.json["errors"]?.array?.first?["code"] == "not_writable")
        let removed = try await gateway.patch(
            "/v1/account", ["attributes": ["code": .null]], bearer: person.accessToken)
        #expect(removed.status == 400, "\(removed.text)")
        #expect(try await gateway.patch("/v1/account", sent("plan"), bearer: person.accessToken).status == 200)
        let page = try HTMLDocument(Array(try await gateway.get("/sign-up?client_id=app").text.utf8))
        let fields = page.elements.compactMap { $0.attributes["name"] }
        #expect(fields.contains("attribute.plan") && fields.contains("attribute.given_name"), "\(fields)")
        #expect(!fields.contains("attribute.tier") && !fields.contains("attribute.code"))
        let email = Fresh.email()
        let browser = try await PageBrowser.open(gateway, "/sign-up?client_id=app")
        let form = try #require(browser.page.forms.first { $0.action == "/sign-up" }, "\(browser.page.text)")
        let typed = [("email", email), ("password", GatewayProcess.password), ("attribute.code", "admin")]
        try await browser.post("/sign-up", form.fields.filter { field in !typed.contains { $0.0 == field.0 } } + typed)
        try await browser.submit("/sign-up/confirm", ["code": try await gateway.mailedCode(to: email)])
        let stored = try await gateway.count(
            """
            select count(*) from accounts a join account_emails e on e.account_id = a.id
             where e.address = \(email) and a.attributes = '{}'
            """)
        #expect(stored == 1)
    }

    @Test("3-D7: an attribute has a value for each app, unless both share it")
    func apps() async throws {
        let gateway = try await CognitoAPI.current.gateway
        let other = "attributes-\(Fresh.text())"
        let declared: JSON = [["name": "plan"], ["name": "code"], ["name": "tie", "shared": true]]
        try await gateway.change(
            """
            insert into clients (id, name, providers, attributes)
            values (\(other), 'Other', '{password}', \(JSONText(declared.text)))
            """)
        try await poll { try await gateway.get("/login?client_id=\(other)").status == 200 ? () : nil }
        let email = Fresh.email()
        let first = try await gateway.signUp(email)
        let second = try SignedInAnswer(
            try await gateway.signIn(
                "password", credential: ["username": .string(email), "password": .string(GatewayProcess.password)],
                app: other))
        func attributes(_ session: SignedInAnswer) async throws -> JSON? {
            try await gateway.get("/v1/account", bearer: session.accessToken).json["attributes"]
        }
        let mine: JSON = ["attributes": ["plan": "mine", "tie": "one"]]
        #expect(try await gateway.patch("/v1/account", mine, bearer: first.accessToken).status == 200)
        #expect(try await attributes(second) == ["tie": "one"])
        let theirs: JSON = ["attributes": ["plan": "theirs", "code": "user", "tie": "two"]]
        #expect(try await gateway.patch("/v1/account", theirs, bearer: second.accessToken).status == 200)
        #expect(try await attributes(first) == ["plan": "mine", "tie": "two"])
    }

    @Test("3-D13: the name of a claim that tells who a user is or may do is no attribute, and no attribute becomes it")
    func reserved() async throws {
        let gateway = try await CognitoAPI.current.gateway
        let owner = try await gateway.operatorSession("owner")
        func change(_ members: JSONObject) async throws -> TestAnswer {
            var body = members
            body["reason"] = "a test"
            return try await gateway.admin("PATCH", "clients/app", .object(body), by: owner)
        }
        for name in ["sub", "email", "name", "scope", "scp", "azp", "roles", "groups", "upn", "username", "typ"] {
            let attribute = try await change(["attributes": [["name": .string(name)]]])
            #expect(attribute.status == 400, "\(name): \(attribute.text)")
            #expect(attribute.json["errors"]?.array?.first?["pointer"] == "/attributes/0", "\(attribute.text)")
            let claim = try await change(["claims": ["attributes": ["plan": .string(name)]]])
            #expect(claim.status == 400, "\(name): \(claim.text)")
            #expect(claim.json["errors"]?.array?.first?["pointer"] == "/claims/attributes/plan", "\(claim.text)")
        }
    }
}
