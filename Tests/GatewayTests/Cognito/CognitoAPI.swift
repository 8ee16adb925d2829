import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// An app of a gateway that speaks Cognito's API.
struct CognitoAPI: Sendable {
    static let pool = "eu-central-1_Abc123XYZ"

    let gateway: GatewayProcess
    /// The app client's id.
    let clientID: String

    /// The app `app` of the gateway, with the dialect.
    ///
    /// - Parameter rotation: `relaxed` as Amazon's default, or `always`.
    static func enabled(
        on gateway: GatewayProcess, rotation: String = "relaxed", id: String = "4example", revealing: Bool = false,
        devices: String = "never"
    ) async throws -> CognitoAPI {
        let dialects = JSON.object([
            "cognito": [
                "pool_id": .string(pool), "client_id": .string(id), "reveals_users": .bool(revealing),
                "remembers_devices": .string(devices),
            ]
        ])
        try await gateway.change(
            """
            update clients set dialects = \(JSONText(dialects.text)), refresh_rotation = \(rotation) where id = 'app'
               and (dialects <> \(JSONText(dialects.text)) or refresh_rotation <> \(rotation))
            """)
        let api = CognitoAPI(gateway: gateway, clientID: id)
        // The key set has a key as soon as the gateway knows the app.
        _ = try await poll {
            let keys = try await gateway.get("/\(pool)/.well-known/jwks.json").json["keys"]?.array ?? []
            return keys.isEmpty ? nil : ()
        }
        return api
    }

    /// The enabled app of the suite's gateway.
    static var current: CognitoAPI { get async throws { try await enabled(on: try GatewayProcess.current) } }

    /// A call with boto3; `ClientId` is added where the caller gives none and sends no access token.
    func call(_ operation: String, _ parameters: JSONObject = [:]) async throws -> JSON {
        var parameters = parameters
        let isOfClient = parameters["AccessToken"] == nil && parameters["UserPoolId"] == nil
        if isOfClient, !Self.withoutClient.contains(operation), parameters["ClientId"] == nil {
            parameters["ClientId"] = .string(clientID)
        }
        return try await gateway.boto3.call(operation, parameters)
    }

    private static let withoutClient = ["AssociateSoftwareToken", "VerifySoftwareToken"]

    /// A call by raw HTTP.
    func raw(_ operation: String, _ body: JSON, headers: [(String, String)] = []) async throws -> TestAnswer {
        var request = TestRequest("POST", "/").bytes(body.bytes())
            .header("Content-Type", "application/x-amz-json-1.1")
            .header("X-Amz-Target", "AWSCognitoIdentityProviderService.\(operation)")
        for (name, value) in headers { request = request.header(name, value) }
        return try await gateway.send(request)
    }

    // MARK: Sign-in

    /// - Parameter device: `DEVICE_KEY`.
    func passwordAuth(
        _ name: String, _ password: String = GatewayProcess.password, device: String? = nil
    ) async throws -> JSON {
        var parameters: JSONObject = ["USERNAME": .string(name), "PASSWORD": .string(password)]
        parameters["DEVICE_KEY"] = device.map(JSON.string)
        return try await call(
            "InitiateAuth", ["AuthFlow": "USER_PASSWORD_AUTH", "AuthParameters": .object(parameters)])
    }

    /// The answer to a challenge.
    func respond(
        _ challenge: String, _ session: String?, _ responses: JSONObject
    ) async throws -> JSON {
        var parameters: JSONObject = ["ChallengeName": .string(challenge), "ChallengeResponses": .object(responses)]
        parameters["Session"] = session.map(JSON.string)
        return try await call("RespondToAuthChallenge", parameters)
    }

    /// A sign-in by SRP as pycognito does it, without a session; returns the last answer.
    func srpAuth(
        _ name: String, _ password: String = GatewayProcess.password, flow: JSONObject = ["AuthFlow": "USER_SRP_AUTH"],
        sends session: Bool = false, device: String? = nil
    ) async throws -> JSON {
        let client = SRPClient()
        var parameters = flow["AuthParameters"]?.object ?? [:]
        parameters["USERNAME"] = .string(name)
        parameters["SRP_A"] = .string(client.publicValue)
        var initiate = flow
        initiate["AuthParameters"] = .object(parameters)
        let asked = try await call("InitiateAuth", initiate)
        guard asked["ChallengeName"] == "PASSWORD_VERIFIER" else { return asked }
        var responses = try proof(asked, client, password)
        responses["DEVICE_KEY"] = device.map(JSON.string)
        return try await respond("PASSWORD_VERIFIER", session ? asked["Session"]?.string : nil, responses)
    }

    /// The values that a name gets before any proof.
    func srpUser(_ name: String) async throws -> [JSON] {
        let asked = try await call(
            "InitiateAuth",
            [
                "AuthFlow": "USER_SRP_AUTH",
                "AuthParameters": ["USERNAME": .string(name), "SRP_A": .string(SRPClient().publicValue)],
            ])
        try #require(asked["ChallengeName"] == "PASSWORD_VERIFIER", "\(asked.text)")
        return [
            asked["ChallengeParameters"]?["SALT"] ?? .null, asked["ChallengeParameters"]?["USER_ID_FOR_SRP"] ?? .null,
        ]
    }

    /// The responses to a password verifier.
    func proof(_ asked: JSON, _ client: SRPClient, _ password: String) throws -> JSONObject {
        let values = try #require(asked["ChallengeParameters"])
        let user = try #require(values["USER_ID_FOR_SRP"]?.string)
        let block = try #require(values["SECRET_BLOCK"]?.string)
        let (salt, server) = (try #require(values["SALT"]?.string), try #require(values["SRP_B"]?.string))
        let bytes = Array(try #require(Data(base64Encoded: block)))
        let timestamp = "Sat Nov 7 09:05:03 UTC 2026"
        let signature = try #require(
            client.signature(
                realm: "Abc123XYZ", user: user, password: Secret(password), salt: salt, serverValue: server,
                secretBlock: bytes, timestamp: timestamp))
        return [
            "USERNAME": .string(user), "PASSWORD_CLAIM_SECRET_BLOCK": .string(block), "TIMESTAMP": .string(timestamp),
            "PASSWORD_CLAIM_SIGNATURE": .string(Data(signature).base64EncodedString()),
        ]
    }

    // MARK: People

    /// Signs up through the API and confirms; returns the user's `sub`.
    @discardableResult
    func signUp(_ email: String, _ password: String = GatewayProcess.password) async throws -> String {
        let begun = try await call(
            "SignUp",
            [
                "Username": .string(email), "Password": .string(password),
                "UserAttributes": [["Name": "email", "Value": .string(email)]],
            ])
        let sub = try #require(begun["UserSub"]?.string, "\(begun.text)")
        let code = try await gateway.mailedCode(to: email)
        let confirmed = try await call(
            "ConfirmSignUp", ["Username": .string(email), "ConfirmationCode": .string(code)])
        try #require(confirmed["error"] == nil, "\(confirmed.text)")
        return sub
    }

    /// A new user's tokens.
    func anyone() async throws -> CognitoTokensAnswer {
        let email = Fresh.email()
        try await signUp(email)
        return try CognitoTokensAnswer(try await passwordAuth(email))
    }
}

/// `AuthenticationResult`.
struct CognitoTokensAnswer: Sendable {
    let accessToken: String
    let idToken: String
    /// The empty text where the answer has none.
    let refreshToken: String
    let expiresIn: Int

    init(_ answer: JSON, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let result = try #require(answer["AuthenticationResult"], "\(answer.text)", sourceLocation: sourceLocation)
        try #require(result["TokenType"] == "Bearer", sourceLocation: sourceLocation)
        accessToken = try #require(result["AccessToken"]?.string, sourceLocation: sourceLocation)
        idToken = try #require(result["IdToken"]?.string, sourceLocation: sourceLocation)
        refreshToken = result["RefreshToken"]?.string ?? ""
        expiresIn = try #require(result["ExpiresIn"]?.integer, sourceLocation: sourceLocation)
    }

    var access: JSONObject { get throws { try #require(Tokens.object(accessToken, part: 1)) } }
    var identity: JSONObject { get throws { try #require(Tokens.object(idToken, part: 1)) } }
}
