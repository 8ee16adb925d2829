import JSON
import Outbound

/// The public operations of a user pool: one unsigned POST each.
struct CognitoAPI: Sendable {
    /// The raw value is the operation's name on the wire.
    enum Operation: String, Sendable {
        case initiateAuth = "InitiateAuth"
        case respondToAuthChallenge = "RespondToAuthChallenge"
        case associateSoftwareToken = "AssociateSoftwareToken"
        case verifySoftwareToken = "VerifySoftwareToken"
        case forgotPassword = "ForgotPassword"
        case confirmForgotPassword = "ConfirmForgotPassword"
        case confirmSignUp = "ConfirmSignUp"
        case resendConfirmationCode = "ResendConfirmationCode"
        case revokeToken = "RevokeToken"
    }

    typealias Reply = Result<JSONObject, CognitoException>

    let url: String
    let upstream: Upstream

    /// Calls once.
    ///
    /// - Throws: `unavailable` for anything that is not an answer of Cognito's.
    func call(
        _ operation: Operation, _ members: JSONObject, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Reply {
        let request = HTTPRequest(
            method: .post, url: url,
            headers: [
                ("Content-Type", "application/x-amz-json-1.1"),
                ("X-Amz-Target", "AWSCognitoIdentityProviderService.\(operation.rawValue)"),
            ], body: JSON.object(members).bytes())
        let response = try await upstream.send(request, by: deadline)
        let object = Self.object(in: response)
        if response.status == 200, let object { return .success(object) }
        guard response.status != 200, let exception = CognitoException(response, saying: object) else {
            throw upstream.failure("upstream_malformed")
        }
        return .failure(exception)
    }

    /// Cognito uses its own media type, which the shared reader does not know.
    private static func object(in response: HTTPResponse) -> JSONObject? {
        let isOwnType = response.header("Content-Type")?.hasPrefix("application/x-amz-json-1.") ?? false
        guard isOwnType || response.isJSON, response.body.count <= 65_536 else { return nil }
        return (try? JSON(parsing: response.body, limits: .provider))?.object
    }
}

/// A refusal by Cognito: its type, without the word `Exception`, and its text.
///
/// The text is English and meant for developers. Sometimes it alone distinguishes two cases.
struct CognitoException: Error, Equatable, Sendable {
    let name: String
    let text: String

    /// Reads the type from the body or a header; a namespace may precede it and an address may follow it.
    init?(_ response: HTTPResponse, saying object: JSONObject?) {
        guard let type = object?["__type"]?.string ?? response.header("x-amzn-errortype") else { return nil }
        let bare = type.split(separator: "#").last?.split(separator: ":").first.map(String.init) ?? ""
        guard bare.hasSuffix("Exception") else { return nil }
        name = String(bare.dropLast("Exception".count))
        text = (object?["message"] ?? object?["Message"])?.string ?? ""
    }
}
