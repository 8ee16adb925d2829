import JSON

/// An error at a link of version 2: a nested object, with status 400.
struct NativeV2Error: Error, Equatable, Sendable {
    /// An attribute that was refused, by its name in native authentication.
    struct Detail: Equatable, Sendable {
        let code: String
        let attribute: String
    }

    let code: String
    var inner: String?
    var details: [Detail] = []
    /// SDKs read it from the beginning of the message.
    let number: Int
    let description: String
    /// In seconds.
    var retryAfter: Int?
    /// The code of our error catalogue, for metrics and the audit log; never sent.
    let logged: String

    init(
        _ code: String, _ inner: String? = nil, _ number: Int, _ description: String, details: [Detail] = [],
        logged: String
    ) {
        (self.code, self.inner, self.details) = (code, inner, details)
        (self.number, self.description, self.logged) = (number, description, logged)
    }

    /// An error of version 1 in the words of version 2.
    ///
    /// - Parameters:
    ///   - code: the code here; nil for the same as there.
    ///   - inner: the inner code; nil for the suberror there.
    ///   - number: another number.
    init(_ error: NativeAuthError, code: String? = nil, inner: String? = nil, number: Int? = nil) {
        self.init(
            code ?? Self.camel(error.error), inner ?? error.suberror.map(Self.camel),
            number ?? error.numbers.first ?? 90_014, error.description, logged: error.code)
    }

    /// The whole body.
    func json(_ ids: NativeAuthIDs) -> JSON {
        var error: JSONObject = [
            "code": .string(code), "message": .string("AADSTS\(number): \(description)"),
        ]
        if let inner {
            var object: JSONObject = ["code": .string(inner)]
            if !details.isEmpty {
                object["details"] = .array(
                    details.map { ["code": .string($0.code), "attributeIds": [.string($0.attribute)]] })
            }
            error["innerError"] = .object(object)
        }
        for name in ["correlationId", "correlation_id"] { error[name] = .string(ids.correlation) }
        error["traceId"] = .string(ids.trace)
        error["timestamp"] = .string(ids.timestamp)
        return ["error": .object(error)]
    }

    /// `invalid_request` as `invalidRequest`.
    private static func camel(_ word: String) -> String {
        let parts = word.split(separator: "_")
        return parts.dropFirst().reduce(String(parts.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }

    // MARK: Errors of requests

    /// A continuation token that is of another step, client or tenant, expired, or none.
    static let tokenRefused = NativeV2Error(
        "invalidGrant", "invalidContinuationToken", 55_200, "The continuation token is not valid for this request.",
        logged: "flow_expired")
    static let userNotFound = NativeV2Error(NativeAuthError.userNotFound, code: "invalidRequest")

    static func attributes(_ details: [Detail], logged: String) -> NativeV2Error {
        NativeV2Error(
            "invalidRequest", "attributeValidationError", 90_100, "Some values were refused.", details: details,
            logged: logged)
    }
}

extension NativeAuthRedirect {
    /// The same in version 2, in the words of older and newer SDKs.
    func json(_ ids: NativeAuthIDs) -> JSON {
        let error = NativeV2Error("invalidGrant", "web_redirect_required", 50_076, reason, logged: "")
        var body: JSONObject = ["state": "webFallbackRequired"]
        body["error"] = error.json(ids)["error"]
        return .object(body)
    }
}
