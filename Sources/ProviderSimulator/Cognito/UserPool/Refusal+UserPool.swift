import HTTPTypes

extension Refusal {
    /// An exception of the user-pool API: always 400, with its type in the body and, followed by a colon, in a header.
    static func userPool(_ type: String, _ text: String, reason: String? = nil) -> Refusal {
        var refusal = Refusal(.badRequest, type, text, reason: reason ?? "\(type): \(text)")
        refusal.headers = UserPoolAnswer.headers
        if let name = HTTPField.Name("x-amzn-ErrorType") { refusal.headers[name] = type + ":" }
        if let name = HTTPField.Name("x-amzn-ErrorMessage"), !text.isEmpty { refusal.headers[name] = text }
        return refusal
    }

    static func notAuthorized(_ text: String) -> Refusal { .userPool("NotAuthorizedException", text) }

    static let wrongCredentials = notAuthorized("Incorrect username or password.")
    static let invalidSession = notAuthorized("Invalid session for the user.")
    static let spentSession = notAuthorized("Invalid session for the user, session can only be used once.")
    static let wrongSecondFactor = userPool("CodeMismatchException", "Invalid code or auth state for the user.")
    static let wrongCode = userPool(
        "CodeMismatchException", "Invalid verification code provided, please try again.")
    static let noCode = userPool("ExpiredCodeException", "Invalid code provided, please request a code again.")
    static let limitExceeded = userPool(
        "LimitExceededException", "Attempt limit exceeded, please try after some time.")

    static func parameter(_ text: String) -> Refusal { .userPool("InvalidParameterException", text) }
    static func missing(_ name: String) -> Refusal { .parameter("Missing required parameter \(name)") }

    /// A violated shape rule; its text begins the member's name in lower case.
    static func constraint(_ value: String, _ member: String, _ rule: String) -> Refusal {
        let name = member.prefix(1).lowercased() + member.dropFirst()
        return .parameter(
            "1 validation error detected: \(value) at '\(name)' failed to satisfy constraint: \(rule)")
    }
}

/// Answers of the user-pool API.
enum UserPoolAnswer {
    static let headers: HTTPFields = [.contentType: "application/x-amz-json-1.1"]
}
