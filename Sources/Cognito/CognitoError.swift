import HTTPServer
import HTTPTypes
import Hummingbird
import JSON

/// An error of the API: `__type` and `message` in the body, both repeated in headers.
///
/// botocore reads only the body, amplify-js reads the header first, and the old iOS SDK compares the body's name exactly.
struct CognitoError: Error, Equatable, Sendable {
    /// The names that the clients know.
    enum Name: String, CaseIterable, Sendable {
        case accessDenied = "AccessDeniedException"
        case aliasExists = "AliasExistsException"
        case codeDeliveryFailure = "CodeDeliveryFailureException"
        case codeMismatch = "CodeMismatchException"
        case expiredCode = "ExpiredCodeException"
        case deviceKeyExists = "DeviceKeyExistsException"
        case enableSoftwareTokenMFA = "EnableSoftwareTokenMFAException"
        case forbidden = "ForbiddenException"
        case incompleteSignature = "IncompleteSignatureException"
        case internalError = "InternalErrorException"
        case invalidParameter = "InvalidParameterException"
        case invalidPassword = "InvalidPasswordException"
        case invalidSignature = "InvalidSignatureException"
        case invalidUserPoolConfiguration = "InvalidUserPoolConfigurationException"
        case limitExceeded = "LimitExceededException"
        case mfaMethodNotFound = "MFAMethodNotFoundException"
        case missingAuthenticationToken = "MissingAuthenticationTokenException"
        case notAuthorized = "NotAuthorizedException"
        case operationNotEnabled = "OperationNotEnabledException"
        case passwordResetRequired = "PasswordResetRequiredException"
        case refreshTokenReuse = "RefreshTokenReuseException"
        case resourceNotFound = "ResourceNotFoundException"
        case serialization = "SerializationException"
        case softwareTokenMFANotFound = "SoftwareTokenMFANotFoundException"
        case tooManyFailedAttempts = "TooManyFailedAttemptsException"
        case tooManyRequests = "TooManyRequestsException"
        case unauthorized = "UnauthorizedException"
        case unknownOperation = "UnknownOperationException"
        case unrecognizedClient = "UnrecognizedClientException"
        case unsupportedUserState = "UnsupportedUserStateException"
        case unsupportedTokenType = "UnsupportedTokenTypeException"
        /// A refusal of an operator's trigger, with a message for the user.
        case userLambdaValidation = "UserLambdaValidationException"
        case userNotConfirmed = "UserNotConfirmedException"
        case userNotFound = "UserNotFoundException"
        case usernameExists = "UsernameExistsException"
        case webAuthnChallengeNotFound = "WebAuthnChallengeNotFoundException"
        case webAuthnClientMismatch = "WebAuthnClientMismatchException"
        case webAuthnConfigurationMissing = "WebAuthnConfigurationMissingException"
        case webAuthnCredentialNotSupported = "WebAuthnCredentialNotSupportedException"
        case webAuthnNotEnabled = "WebAuthnNotEnabledException"
        case webAuthnOriginNotAllowed = "WebAuthnOriginNotAllowedException"
        case webAuthnRelyingPartyMismatch = "WebAuthnRelyingPartyMismatchException"

        /// 400 for every error of the caller, whatever its kind.
        var status: HTTPResponse.Status { self == .internalError ? .internalServerError : .badRequest }
    }

    let name: Name
    let message: String
    /// The code of our error catalogue, for metrics and the audit log; never sent.
    let code: String

    init(_ name: Name, _ message: String, code: String) {
        (self.name, self.message, self.code) = (name, message, code)
    }

    func response(requestID: String) -> Response {
        let body: JSON = ["__type": .string(name.rawValue), "message": .string(message)]
        return .cognito(
            body, status: name.status, requestID: requestID,
            headers: [.amazonErrorType: name.rawValue + ":", .amazonErrorMessage: message])
    }

    // MARK: Faults of a request's form

    /// A member that is missing, or has another type.
    static func invalid(_ message: String) -> CognitoError {
        CognitoError(.invalidParameter, message, code: "invalid_request")
    }

    static func missing(_ parameter: String) -> CognitoError { invalid("Missing required parameter \(parameter)") }

    /// - Parameter path: the member in lower camel case.
    static func constraint(_ value: String, at path: String, _ constraint: String) -> CognitoError {
        invalid(
            "1 validation error detected: Value '\(value.bounded(bytes: 64))' at '\(path)' failed to satisfy constraint: Member must \(constraint)"
        )
    }
}

extension Response {
    /// An answer of the API.
    static func cognito(
        _ json: JSON, status: HTTPResponse.Status = .ok, requestID: String, headers: HTTPFields = [:]
    ) -> Response {
        var fields = headers
        fields[.contentType] = "application/x-amz-json-1.1"
        fields[.amazonRequestID] = requestID
        return Response(status: status, headers: fields, body: .init(byteBuffer: ByteBuffer(bytes: json.bytes())))
    }
}

extension HTTPField.Name {
    static let amazonTarget = known("X-Amz-Target")
    static let amazonRequestID = known("x-amzn-RequestId")
    static let amazonErrorType = known("x-amzn-ErrorType")
    static let amazonErrorMessage = known("x-amzn-ErrorMessage")
}
