import Cryptography
import Foundation
import JSON
import Providers
import Testing

/// The simulated pool alone: as strict as the API's page, so that errors of the adapter are visible.
@Suite("The simulated user-pool API", .simulated)
struct SimulatedUserPoolTests {
    private static let client: JSON = "cognitoclient0000000000001"

    private func call(
        _ operation: String, _ members: JSON, target: String? = nil, type: String = "application/x-amz-json-1.1",
        path: String = "/cognito/"
    ) async throws -> TestAnswer {
        let target = target ?? "AWSCognitoIdentityProviderService.\(operation)"
        let request = TestRequest("POST", path).header("X-Amz-Target", target).header("Content-Type", type)
        return try await RunningSimulator.current.client.send(request.bytes(members.bytes()))
    }

    private func expect(
        _ answer: TestAnswer, _ type: String, _ text: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 400, sourceLocation: sourceLocation)
        #expect(answer.json["__type"]?.string == type, sourceLocation: sourceLocation)
        #expect(answer.header("x-amzn-ErrorType") == type + ":", sourceLocation: sourceLocation)
        #expect(answer.header("Content-Type") == "application/x-amz-json-1.1", sourceLocation: sourceLocation)
        if let text { #expect(answer.json["message"]?.string == text, sourceLocation: sourceLocation) }
    }

    private func user(_ members: JSONObject = [:]) async throws -> String {
        try await SimulatedPool(RunningSimulator.current).user(members)
    }

    private func initiate(_ name: String, _ flow: String, _ further: JSONObject = [:]) async throws -> TestAnswer {
        var parameters = further
        parameters["USERNAME"] = .string(name)
        return try await call(
            "InitiateAuth",
            ["AuthFlow": .string(flow), "ClientId": Self.client, "AuthParameters": .object(parameters)])
    }

    private func respond(_ challenge: String, _ session: JSON?, _ responses: JSONObject) async throws -> TestAnswer {
        var members: JSONObject = [
            "ChallengeName": .string(challenge), "ClientId": Self.client, "ChallengeResponses": .object(responses),
        ]
        members["Session"] = session
        return try await call("RespondToAuthChallenge", .object(members))
    }

    @Test(
        "an unknown operation is refused",
        arguments: ["AWSCognitoIdentityProviderService.SignOut", "InitiateAuth", "", "Other.InitiateAuth"])
    func targets(target: String) async throws {
        expect(try await call("", [:], target: target), "UnknownOperationException")
    }

    @Test("a body that is not a JSON object, or has another content type, is refused")
    func bodies() async throws {
        expect(try await call("InitiateAuth", []), "SerializationException")
        expect(try await call("InitiateAuth", [:], type: "application/json"), "SerializationException")
        expect(
            try await call("InitiateAuth", ["AuthFlow": 1, "ClientId": Self.client]), "SerializationException")
        expect(
            try await call(
                "InitiateAuth", ["AuthFlow": "USER_AUTH", "ClientId": Self.client, "AuthParameters": ["USERNAME": 1]]),
            "SerializationException")
        #expect(try await call("InitiateAuth", [:], path: "/cognito").status == 400)
        #expect(try await RunningSimulator.current.client.send(TestRequest("GET", "/cognito/")).status == 405)
    }

    @Test(
        "members that are missing, unknown or out of bounds are refused by name",
        arguments: [
            ("InitiateAuth", ["ClientId": client], "authFlow"),
            ("InitiateAuth", ["AuthFlow": "USER_AUTH"], "clientId"),
            ("InitiateAuth", ["AuthFlow": "PASSWORD", "ClientId": client], "authFlow"),
            ("InitiateAuth", ["AuthFlow": "USER_AUTH", "ClientId": client, "Password": "p"], "Password"),
            ("InitiateAuth", ["AuthFlow": "USER_AUTH", "ClientId": client, "Session": "short"], "session"),
            ("InitiateAuth", ["AuthFlow": "USER_AUTH", "ClientId": "no client"], "clientId"),
            ("RespondToAuthChallenge", ["ChallengeName": "FACE", "ClientId": client], "challengeName"),
            ("RespondToAuthChallenge", ["ChallengeName": "SMS_MFA", "ClientId": client], "USERNAME"),
            ("ForgotPassword", ["ClientId": client, "Username": "two words"], "username"),
            ("ConfirmSignUp", ["ClientId": client, "Username": "a", "ConfirmationCode": ""], "confirmationCode"),
            (
                "ConfirmForgotPassword",
                ["ClientId": client, "Username": "a", "ConfirmationCode": "1", "Password": "two words"], "password"
            ),
            ("VerifySoftwareToken", ["Session": "a session that is long enough", "UserCode": "12345"], "userCode"),
        ] as [(String, JSON, String)])
    func members(row: (operation: String, members: JSON, name: String)) async throws {
        let answer = try await call(row.operation, row.members)
        expect(answer, "InvalidParameterException")
        #expect(answer.json["message"]?.string?.contains(row.name) == true, "\(answer.text)")
    }

    @Test("an unknown client is reported as unknown")
    func unknownClient() async throws {
        let answer = try await call("InitiateAuth", ["AuthFlow": "USER_AUTH", "ClientId": "stranger"])
        expect(answer, "ResourceNotFoundException", "User pool client stranger does not exist.")
    }

    @Test("a session works once, for its challenge, its client and its user")
    func sessions() async throws {
        let name = try await user(["factors": ["EMAIL_OTP"]])
        let password: JSON = .string(SimulatedPool.password)
        let asked = try await initiate(name, "USER_PASSWORD_AUTH", ["PASSWORD": password]).json
        let session = asked["Session"]
        #expect(asked["ChallengeName"] == "EMAIL_OTP")
        let answer: JSONObject = ["USERNAME": .string(name), "EMAIL_OTP_CODE": "wrong"]
        expect(
            try await respond("EMAIL_OTP", nil, answer), "InvalidParameterException",
            "Missing required parameter Session")
        expect(try await respond("SMS_MFA", session, answer), "NotAuthorizedException", "Invalid session for the user.")
        expect(
            try await respond("EMAIL_OTP", "a session that nobody has ever had", answer), "NotAuthorizedException",
            "Invalid session for the user.")
        let other = try await user()
        expect(
            try await respond("EMAIL_OTP", session, ["USERNAME": .string(other), "EMAIL_OTP_CODE": "1"]),
            "NotAuthorizedException", "Invalid session for the user.")
        for _ in 0..<3 {
            expect(
                try await respond("EMAIL_OTP", session, answer), "CodeMismatchException",
                "Invalid code or auth state for the user.")
        }
        expect(
            try await respond("EMAIL_OTP", session, answer), "NotAuthorizedException",
            "Invalid session for the user, session can only be used once.")
    }

    @Test("an unknown user looks like a real one, and the same each time")
    func decoys() async throws {
        let value: JSONObject = ["SRP_A": .string(SRPClient().publicValue)]
        let nobody = Fresh.email()
        let first = try await initiate(nobody, "USER_SRP_AUTH", value).json["ChallengeParameters"]
        let second = try await initiate(nobody, "USER_SRP_AUTH", value).json["ChallengeParameters"]
        let known = try await initiate(user(), "USER_SRP_AUTH", value).json["ChallengeParameters"]
        #expect(first?["SALT"] == second?["SALT"] && first?["USER_ID_FOR_SRP"] == second?["USER_ID_FOR_SRP"])
        #expect(first?["SRP_B"] != second?["SRP_B"])
        #expect(first?.object?.members.map(\.name) == known?.object?.members.map(\.name))
        #expect(first?["SALT"]?.string?.utf8.count == known?["SALT"]?.string?.utf8.count)
    }

    @Test("a client value that would sign anybody in is refused", arguments: ["0", "00", "", "xyz"])
    func clientValues(value: String) async throws {
        let answer = try await initiate(user(), "USER_SRP_AUTH", ["SRP_A": .string(value)])
        expect(answer, "InvalidParameterException")
    }

    @Test("a proof without a session is found by its secret block, and works once")
    func proofWithoutSession() async throws {
        let name = try await user()
        let proof = SRPClient()
        let asked = try await initiate(name, "USER_SRP_AUTH", ["SRP_A": .string(proof.publicValue)]).json
        let parameters = try #require(asked["ChallengeParameters"])
        let (id, block) = (parameters["USER_ID_FOR_SRP"]?.string ?? "", parameters["SECRET_BLOCK"]?.string ?? "")
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE MMM d HH:mm:ss 'UTC' yyyy"
        let time = formatter.string(from: Date())
        let signature = try #require(
            proof.signature(
                realm: "Example01", user: id, password: Secret(SimulatedPool.password),
                salt: parameters["SALT"]?.string ?? "", serverValue: parameters["SRP_B"]?.string ?? "",
                secretBlock: Array(Data(base64Encoded: block) ?? Data()), timestamp: time))
        let claim: JSONObject = [
            "USERNAME": .string(id), "PASSWORD_CLAIM_SECRET_BLOCK": .string(block), "TIMESTAMP": .string(time),
            "PASSWORD_CLAIM_SIGNATURE": .string(Data(signature).base64EncodedString()),
        ]
        let answer = try await respond("PASSWORD_VERIFIER", nil, claim)
        #expect(answer.json["AuthenticationResult"]?["IdToken"]?.string != nil, "\(answer.text)")
        expect(try await respond("PASSWORD_VERIFIER", nil, claim), "NotAuthorizedException")
    }

    @Test("a client without the protection reveals unknown users")
    func enumeration() async throws {
        let simulator = try RunningSimulator.current
        let pool = try await SimulatedPool(simulator, .password, client: ["prevent_user_existence_errors": false])
        let id = JSON.string(pool.clientID)
        let parameters: JSON = ["USERNAME": "nobody@example.com", "PASSWORD": "p"]
        expect(
            try await call(
                "InitiateAuth", ["AuthFlow": "USER_PASSWORD_AUTH", "ClientId": id, "AuthParameters": parameters]),
            "UserNotFoundException", "User does not exist.")
        expect(
            try await call("ForgotPassword", ["ClientId": id, "Username": "nobody@example.com"]),
            "UserNotFoundException", "Username/client id combination not found.")
        #expect(
            try await call("ForgotPassword", ["ClientId": Self.client, "Username": "nobody@example.com"]).status == 200)
    }

    @Test("only its own refresh tokens are revoked")
    func revocation() async throws {
        expect(
            try await call("RevokeToken", ["ClientId": Self.client, "Token": "never-issued"]),
            "UnsupportedTokenTypeException")
    }

    @Test(
        "the control surface refuses unknown members",
        arguments: [
            ("users", [:]), ("users", ["username": "a", "shoe_size": 9]),
            ("users", ["username": "a", "status": "odd"]),
            ("users", ["username": "a", "factors": ["FACE"]]),
            ("users", ["username": "a", "factors": ["SMS_MFA"], "preferred_factor": "EMAIL_OTP"]),
            ("users", ["username": "a", "custom_challenges": [["answer": "b"]]]), ("clients", ["flows": ["ANY"]]),
            ("clients", ["session_seconds": "long"]), ("assertion", ["username": "nobody", "options": [:]]),
        ] as [(String, JSON)])
    func control(row: (path: String, members: JSON)) async throws {
        let answer = try await RunningSimulator.current.client.send(
            TestRequest("POST", "/control/cognito/\(row.path)").json(row.members))
        #expect(answer.status == 400)
    }
}
