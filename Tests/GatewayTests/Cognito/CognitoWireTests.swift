import Foundation
import JSON
import TestSupport
import Testing

@Suite("Cognito's API: the wire", .gateway())
struct CognitoWireTests {
    @Test("an error has its name in the body and in a header, and the text in both")
    func error() async throws {
        let api = try await CognitoAPI.current
        let answer = try await api.raw("GetUser", ["AccessToken": "no token"])
        #expect(answer.status == 400 && answer.header("Content-Type") == "application/x-amz-json-1.1")
        #expect(answer.json == ["__type": "NotAuthorizedException", "message": "Invalid Access Token"])
        #expect(answer.header("x-amzn-ErrorType") == "NotAuthorizedException:")
        #expect(answer.header("x-amzn-ErrorMessage") == "Invalid Access Token")
        #expect(answer.header("x-amzn-RequestId")?.isEmpty == false)
    }

    @Test("requests of a wrong form get the errors of the API")
    func form() async throws {
        let api = try await CognitoAPI.current
        let rows: [(operation: String, body: JSON, type: String, message: String)] = [
            ("Fly", [:], "UnknownOperationException", "The operation is unknown."),
            ("InitiateAuth", [], "SerializationException", "The body is no JSON object."),
            (
                "InitiateAuth", ["ClientId": "4example"], "InvalidParameterException",
                "Missing required parameter AuthFlow"
            ),
            (
                "InitiateAuth", ["AuthFlow": "FLY", "ClientId": "4example"], "InvalidParameterException",
                "1 validation error detected: Value 'FLY' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: [USER_AUTH, USER_SRP_AUTH, USER_PASSWORD_AUTH, ADMIN_USER_PASSWORD_AUTH, ADMIN_NO_SRP_AUTH, CUSTOM_AUTH, REFRESH_TOKEN_AUTH, REFRESH_TOKEN]"
            ),
            (
                "InitiateAuth",
                [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "4example",
                    "AuthParameters": ["USERNAME": "a@b.example"],
                ],
                "InvalidParameterException", "Missing required parameter PASSWORD"
            ),
            (
                "InitiateAuth",
                ["AuthFlow": "USER_AUTH", "ClientId": "nobody", "AuthParameters": ["USERNAME": "a@b.example"]],
                "ResourceNotFoundException", "User pool client nobody does not exist."
            ),
            ("GetUser", ["AccessToken": 5], "InvalidParameterException", "AccessToken must be a text."),
        ]
        for row in rows {
            let answer = try await api.raw(row.operation, row.body)
            #expect(answer.status == 400, "\(row)")
            #expect(answer.json == ["__type": .string(row.type), "message": .string(row.message)], "\(answer.text)")
        }
    }

    @Test("a request without a target, and other methods, are no calls")
    func noTarget() async throws {
        let api = try await CognitoAPI.current
        let answer = try await api.gateway.post("/", [:])
        #expect(answer.status == 405)
        let page = try await api.gateway.send(TestRequest("GET", "/").header("Accept", "text/html"))
        #expect(page.status != 404)
    }

    @Test("a browser of a registered origin may send any header of an SDK; another origin may not")
    func crossOrigin() async throws {
        let api = try await CognitoAPI.current
        let asked =
            "amz-sdk-invocation-id,amz-sdk-request,cache-control,content-type,x-amz-target,x-amz-user-agent,x-own"
        func preflight(_ origin: String) async throws -> TestAnswer {
            try await api.gateway.send(
                TestRequest("OPTIONS", "/").header("Origin", origin).header("Access-Control-Request-Method", "POST")
                    .header("Access-Control-Request-Headers", asked))
        }
        let allowed = try await preflight(Deployment.origin)
        #expect(allowed.status == 204 && allowed.header("Access-Control-Allow-Headers") == asked)
        #expect(allowed.header("Access-Control-Allow-Methods")?.contains("POST") == true)
        #expect(try await preflight("https://evil.example").status == 403)
        let answer = try await api.raw("GetUser", ["AccessToken": "no token"], headers: [("Origin", Deployment.origin)])
        #expect(answer.header("Access-Control-Allow-Origin") == Deployment.origin)
        let exposed = answer.header("Access-Control-Expose-Headers") ?? ""
        #expect(exposed.contains("x-amzn-ErrorType") && exposed.contains("x-amzn-RequestId"))
        #expect(answer.header("Access-Control-Allow-Credentials") == nil)
    }

    @Test("a refused call leaves an audit row with our own code")
    func audited() async throws {
        let api = try await CognitoAPI.current
        let email = Fresh.email()
        let sub = try await api.signUp(email)
        #expect(try await api.passwordAuth(email, "another password 5")["error"] == "NotAuthorizedException")
        _ = try await poll {
            let rows = try await api.gateway.audit(account: sub)
            return rows.contains { $0.action == "sign_in" && $0.reason == "invalid_credentials" } ? () : nil
        }
    }
}
