import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Cognito's API: the reach of access keys", .gateway())
struct CognitoKeyReachTests {
    /// Adds an app; with the dialect it is one of the same pool.
    private static func app(_ gateway: GatewayProcess, cognito: String? = nil) async throws -> String {
        let id = "reach-\(Fresh.text())"
        let dialects = cognito.map { client in
            JSON.object(["cognito": ["pool_id": .string(CognitoAPI.pool), "client_id": .string(client)]])
        }
        try await gateway.change(
            """
            insert into clients (id, name, providers, dialects)
            values (\(id), 'Reach', '{password}', \(JSONText((dialects ?? [:]).text)))
            """)
        try await poll { try await gateway.get("/login?client_id=\(id)").status == 200 ? () : nil }
        return id
    }

    /// Every operation on a user, with what it needs.
    private static let operations: [(String, JSONObject)] = [
        ("AdminGetUser", [:]), ("AdminListDevices", [:]), ("AdminUserGlobalSignOut", [:]),
        ("AdminSetUserPassword", ["Password": "another password 5", "Permanent": true]),
        ("AdminResetUserPassword", [:]),
        ("AdminDisableUser", [:]), ("AdminEnableUser", [:]), ("AdminDeleteUser", [:]),
        ("AdminUpdateUserAttributes", ["UserAttributes": [["Name": "name", "Value": "Eve"]]]),
        ("AdminDeleteUserAttributes", ["UserAttributeNames": ["name"]]),
        ("AdminCreateUser", ["MessageAction": "RESEND"]),
    ]

    private static func listed(_ name: String, _ backEnd: CognitoBackEnd) async throws -> Int? {
        let answer = try await backEnd.done("ListUsers", ["Filter": .string("email = \"\(name)\"")])
        return answer["Users"]?.array?.count
    }

    @Test("3-D4: a key reaches the users of its app and its pool, and nobody else")
    func pool() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let other = try await Self.app(api.gateway)
        let email = Fresh.email()
        let person = try await api.gateway.signUp(email, app: other)
        for (operation, parameters) in Self.operations {
            var sent = parameters
            sent["Username"] = .string(email)
            let refused = try await backEnd.call(operation, sent)
            #expect(refused["error"] == "UserNotFoundException", "\(operation): \(refused.text)")
            sent["Username"] = .string(person.account)
            #expect(try await backEnd.call(operation, sent)["error"] == "UserNotFoundException", "\(operation) by id")
        }
        let linked = try await backEnd.call(
            "AdminLinkProviderForUser",
            [
                "DestinationUser": ["ProviderName": "Cognito", "ProviderAttributeValue": .string(email)],
                "SourceUser": [
                    "ProviderName": "SignInWithApple", "ProviderAttributeName": "Cognito_Subject",
                    "ProviderAttributeValue": .string(Fresh.text()),
                ],
            ])
        #expect(linked["error"] == "UserNotFoundException", "\(linked.text)")
        #expect(try await Self.listed(email, backEnd) == 0)
        #expect(try await api.gateway.passwordSignIn(email, GatewayProcess.password).status == 200)

        // That sign-in was at the key's app, and the key of another app of the pool reaches the user, too.
        #expect(try await backEnd.user(email)["Username"] == .string(person.account))
        let beside = try await Self.app(api.gateway, cognito: Fresh.text().filter { $0.isLetter || $0.isNumber })
        let ofPool = try await CognitoBackEnd(api, role: "viewer", of: beside)
        #expect(try await Self.listed(email, ofPool) == 1)
    }

    @Test("3-D4: no key reaches an operator; an owner's key for the whole gateway reaches every user")
    func gateway() async throws {
        let api = try await CognitoAPI.current
        let owner = try await api.gateway.operatorSession("owner")
        let (pool, whole) = (try await CognitoBackEnd(api), try await CognitoBackEnd(api, reach: "gateway"))
        for backEnd in [pool, whole] {
            let hidden = try await backEnd.call("AdminGetUser", ["Username": .string(owner.account)])
            #expect(hidden["error"] == "UserNotFoundException", "\(hidden.text)")
            let list = try await backEnd.done("ListUsers", ["Filter": .string("sub = \"\(owner.account)\"")])
            #expect(list["Users"] == [])
        }
        let email = Fresh.email()
        _ = try await api.gateway.signUp(email, app: try await Self.app(api.gateway))
        #expect(try await Self.listed(email, pool) == 0)
        #expect(try await Self.listed(email, whole) == 1)
        try await whole.done("AdminUserGlobalSignOut", ["Username": .string(email)])
        let path = "clients/app/access-keys"
        let shown = try await api.gateway.admin("GET", path, by: owner).json["access_keys"]?.array ?? []
        #expect(shown.first { $0["id"]?.string == whole.keyID }?["reach"] == "gateway")
        #expect(shown.first { $0["id"]?.string == pool.keyID }?["reach"] == "pool")
        let rows = try await api.gateway.count(
            """
            select count(*) from audit_events
             where action = 'access_key_issued' and detail->>'key' = \(whole.keyID) and detail->>'reach' = 'gateway'
            """)
        #expect(rows == 1)
        let wrong = try await api.gateway.admin(
            "POST", path, ["role": "viewer", "reach": "world", "reason": "a test"], by: owner)
        try await api.gateway.expectRefusal(wrong, 400, "invalid_request", action: "change_access_keys")
        #expect(wrong.json["errors"]?.array?.first?["pointer"] == "/reach")
    }
}

/// The budget of a network address is one guess, so that of a key is sixteen.
@Suite(
    "Cognito's API: guesses that a back end passes on",
    .gateway(["THROTTLE_ADDRESS_BURST": "1", "THROTTLE_ADDRESS_PER_MINUTE": "1"]))
struct CognitoKeyGuessTests {
    private static func guess(_ number: Int, _ backEnd: CognitoBackEnd, _ api: CognitoAPI) async throws -> JSON {
        try await backEnd.call(
            "AdminInitiateAuth",
            [
                "ClientId": .string(api.clientID), "AuthFlow": "ADMIN_USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": .string(Fresh.email()), "PASSWORD": "a wrong password 7"],
                "ContextData": [
                    "IpAddress": .string("198.51.100.\(number)"), "ServerName": "app", "ServerPath": "/",
                    "HttpHeaders": [],
                ],
            ])
    }

    @Test("3-D17: a viewer's key names no network, and the guesses of a key have a budget of their own")
    func budget() async throws {
        let api = try await CognitoAPI.current
        let viewer = try await CognitoBackEnd(api, role: "viewer")
        let refused = try await Self.guess(1, viewer, api)
        #expect(refused["error"] == "AccessDeniedException", "\(refused.text)")
        let support = try await CognitoBackEnd(api, role: "support")
        var judged = 0
        for number in 1...40 {
            let answer = try await Self.guess(number, support, api)
            if answer["message"] == "Incorrect username or password." { judged += 1 }
        }
        #expect((16...32).contains(judged), "\(judged) of 40 guesses from 40 networks were judged")
    }
}
