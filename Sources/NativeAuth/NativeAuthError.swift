import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Telemetry

/// An error of native authentication: status 400, or a step for a browser with status 200.
struct NativeAuthError: Error, Equatable, Sendable {
    let error: String
    var suberror: String?
    /// AADSTS numbers; the first one counts for MSAL on Apple's systems.
    var numbers: [Int] = []
    let description: String
    /// Further members.
    var members: JSONObject = [:]
    /// The code of our error catalogue, for metrics and the audit log; never sent.
    let code: String

    init(
        _ error: String, suberror: String? = nil, _ numbers: [Int], _ description: String, members: JSONObject = [:],
        code: String
    ) {
        (self.error, self.suberror, self.numbers) = (error, suberror, numbers)
        (self.description, self.members, self.code) = (description, members, code)
    }

    /// The whole body.
    func json(_ ids: NativeAuthIDs) -> JSON {
        var body: JSONObject = [
            "error": .string(error), "error_description": .string(text(ids)),
            "error_codes": .array(numbers.map(JSON.integer)), "timestamp": .string(ids.timestamp),
            "trace_id": .string(ids.trace), "correlation_id": .string(ids.correlation),
        ]
        body["suberror"] = suberror.map(JSON.string)
        for member in members.members { body[member.name] = member.value }
        return .object(body)
    }

    private func text(_ ids: NativeAuthIDs) -> String {
        let number = numbers.first.map { "AADSTS\($0): " } ?? ""
        return
            "\(number)\(description)\r\nTrace ID: \(ids.trace)\r\nCorrelation ID: \(ids.correlation)\r\nTimestamp: \(ids.timestamp)"
    }

    // MARK: Errors of requests

    /// A parameter that is missing or has the wrong form; SDKs search for this text.
    static func parameter(_ name: String) -> NativeAuthError {
        NativeAuthError(
            "invalid_request", [90_100], "\(name) parameter is empty or not valid.", code: "invalid_request")
    }

    /// A mailbox that can't become a factor; SDKs search for the number.
    static let contactInvalid = NativeAuthError(
        "invalid_request", [901_001], "The challenge_target parameter is not valid.", code: "invalid_request")
    static let unknownClient = NativeAuthError(
        "unauthorized_client", [700_016], "Application with this identifier was not found in the directory.",
        code: "client_unknown")
    static let withoutRedirect = NativeAuthError(
        "unsupported_challenge_type", [901_007],
        "The challenge_type list parameter does not include the 'redirect' type.", code: "invalid_request")
    static let unknownChallenge = NativeAuthError(
        "invalid_request", [90_100], "The challenge_type list parameter contains an unsupported challenge type.",
        code: "invalid_request")
    static let wrongSeries = NativeAuthError(
        "invalid_request", [55_200], "The continuation_token is not valid for this request.", code: "flow_expired")
    /// A code of version 2 that was used, is expired, or is none.
    static let codeRefused = NativeAuthError(
        "invalid_grant", [70_008], "The authorization code is expired or was used.", code: "invalid_grant")
    /// A token that is not at the end of a journey.
    static let notResumable = NativeAuthError(
        "invalid_grant", [55_200], "The continuation_token is not valid for this request.", code: "flow_expired")
    static let userNotFound = NativeAuthError(
        "user_not_found", [50_034], "The user account does not exist in this directory.", code: "invalid_credentials")
}

/// The ids of one exchange.
struct NativeAuthIDs: Sendable {
    /// The caller's id, or a new one.
    let correlation: String
    let trace: String
    let timestamp: String

    init(_ request: Request) {
        let given = request.headers.value(.clientRequestID).flatMap { UUID(uuidString: $0) }
        correlation = (given ?? UUID()).uuidString.lowercased()
        trace = UUID().uuidString.lowercased()
        timestamp = RFC3339.text(Date()).replacing("T", with: " ")
    }
}

extension HTTPField.Name {
    static let clientRequestID = known("client-request-id")
    static let microsoftRequestID = known("x-ms-request-id")
}
