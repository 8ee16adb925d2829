import Foundation
import JSON
import TestSupport
import Testing

/// The back end of an app, which signs its calls with boto3.
struct CognitoBackEnd: Sendable {
    let api: CognitoAPI
    let keyID: String
    let secret: String
    let boto3: Boto3

    /// - Parameters:
    ///   - role: of the key.
    ///   - app: the app of the key.
    ///   - reach: of the key.
    init(
        _ api: CognitoAPI, role: String = "admin", of app: String = "app", reach: String = "pool"
    ) async throws {
        let issued = try await api.gateway.deployment.run(
            "clients", "issue-key", app, "--role", role, "--reach", reach, "--reason", "a test", "--json")
        try #require(issued.exitCode == 0, "\(issued.errors)")
        let key = try #require(try JSON(parsing: issued.output)["id"]?.string)
        let secret = try issued.secret()
        try #require(try JSON(parsing: issued.output)["key"]?.string == "ak_\(key)\(secret)")
        try await self.init(api, key: key, secret: secret)
        // Every server accepts the key within a second.
        try await poll {
            try await call("ListUsers", ["Limit": 1])["error"] != "UnrecognizedClientException" ? () : nil
        }
    }

    init(_ api: CognitoAPI, key: String, secret: String) async throws {
        (self.api, keyID, self.secret) = (api, key, secret)
        boto3 = try Boto3(
            "http://127.0.0.1:\(api.gateway.port)",
            signedBy: ["AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret])
    }

    /// A signed call; `UserPoolId` is added where the caller gives none.
    func call(_ operation: String, _ parameters: JSONObject = [:]) async throws -> JSON {
        var parameters = parameters
        parameters["UserPoolId"] = parameters["UserPoolId"] ?? .string(CognitoAPI.pool)
        return try await boto3.call(operation, parameters)
    }

    /// The same, without an error.
    @discardableResult
    func done(
        _ operation: String, _ parameters: JSONObject, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
        let answer = try await call(operation, parameters)
        try #require(answer["error"] == nil, "\(operation): \(answer.text)", sourceLocation: sourceLocation)
        return answer
    }

    func user(_ name: String) async throws -> JSON { try await done("AdminGetUser", ["Username": .string(name)]) }
}

extension JSON {
    /// The value of a user's attribute.
    func attribute(_ name: String, in member: String = "UserAttributes") -> String? {
        self[member]?.array?.first { $0["Name"]?.string == name }?["Value"]?.string
    }
}
