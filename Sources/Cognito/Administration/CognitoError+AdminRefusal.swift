import OperatorAccess

extension CognitoError {
    /// The name of the API for a refusal of operators' services.
    init(_ refusal: AdminRefusal, _ operation: CognitoAdminOperation) {
        let (name, message) = Self.answer(refusal, operation)
        self.init(name, message, code: refusal.code)
    }

    private static func answer(_ refusal: AdminRefusal, _ operation: CognitoAdminOperation) -> (Name, String) {
        switch refusal {
        case .invalidMember(_, let reason, _):
            (.invalidParameter, "Invalid parameter: \(reason.split(separator: "_").joined(separator: " ")).")
        // Only a key that was revoked or disabled during the call.
        case .notAnOperator, .accessKeyInvalid, .accessKeyExpired: (.unrecognizedClient, unknownKey.message)
        case .roleTooLow, .ownAccount, .lastOwner, .lastAdministrationClient, .roleNeedsFactor, .sessionEnded,
            .stepUpRequired, .reauthRequired, .audienceNotAllowed, .networkNotAllowed, .outOfReach:
            (.accessDenied, "The access key is not authorized to perform: cognito-idp:\(operation.rawValue)")
        case .operatorAccount: (.accessDenied, "An access key may not change the account of an operator.")
        case .notFound: (.userNotFound, "User does not exist.")
        case .identityInUse:
            operation == .adminCreateUser
                ? (.usernameExists, "User account already exists")
                : (.aliasExists, "The identity belongs to another user.")
        case .accountDisabled: (.notAuthorized, "User is disabled.")
        case .throttled: (.tooManyRequests, "Rate exceeded")
        case .nothingToChange, .lastCredential, .changeNotSettled, .deletionWaits, .accountsChanged, .undoOver,
            .undoBlocked, .idempotencyKeyReused, .idempotencyKeyBusy:
            (.invalidParameter, "The state of the user does not allow this operation.")
        }
    }
}
