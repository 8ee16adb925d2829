import FoundationEssentials
import HTTPTypes
import JSON

extension Refusal {
    /// A refusal of native authentication: always 400, with words and numbers.
    static func native(
        _ error: String, _ code: Int, _ text: String, suberror: String? = nil, _ more: JSONObject = [:],
        reason: String? = nil
    ) -> Refusal {
        let (trace, correlation) = (GUID.random(), GUID.random())
        let time = Date().formatted(.iso8601)
        let description =
            "AADSTS\(code): \(text)\r\nTrace ID: \(trace)\r\nCorrelation ID: \(correlation)\r\nTimestamp: \(time)"
        var body: JSONObject = [
            "error": .string(error), "error_description": .string(description), "error_codes": [.integer(code)],
            "timestamp": .string(time), "trace_id": .string(trace), "correlation_id": .string(correlation),
        ]
        body.add("suberror", suberror)
        for member in more.members { body[member.name] = member.value }
        return Refusal(.badRequest, error, text, reason: reason ?? "\(error) \(suberror ?? "") \(code): \(text)")
            .inForm(.answer(.secret(.object(body), status: .badRequest)))
    }

    static func emptyParameter(_ name: String) -> Refusal {
        .native("invalid_request", 90_100, "\(name) parameter is empty or not valid.")
    }

    static let wrongNativeCode = native("invalid_grant", 50_181, "Unable to sign in.", suberror: "invalid_oob_value")
    static let wrongNativePassword = native(
        "invalid_grant", 50_126, "Error validating credentials due to invalid username or password.")
    static let expiredNativeToken = native("expired_token", 552_003, "The continuation token is expired.")
    static let unknownNativeUser = native("user_not_found", 50_034, "The user account does not exist.")

    static func deadNativeToken(at operation: NativeOperation, _ reason: String) -> Refusal {
        .native(
            operation.refusesTokensAsGrants ? "invalid_grant" : "invalid_request", 55_200,
            "The continuation token is not valid.", reason: reason)
    }

    static func password(_ suberror: String) -> Refusal {
        .native("invalid_grant", 399_246, "The new password breaks a rule.", suberror: suberror)
    }
}
