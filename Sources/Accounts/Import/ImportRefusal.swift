import Cryptography

/// Why a line of an import was refused; the raw value appears in the report.
package enum ImportRefusal: String, Error, Sendable, CaseIterable {
    /// Not one JSON object.
    case notJSON = "not_json"
    /// More than 64 KiB.
    case lineTooLong = "line_too_long"
    case unknownMember = "unknown_member"
    case invalidID = "invalid_id"
    case invalidEmail = "invalid_email"
    case invalidEmailVerified = "invalid_email_verified"
    case invalidPhone = "invalid_phone"
    case invalidPhoneVerified = "invalid_phone_verified"
    case invalidUserName = "invalid_user_name"
    case invalidAttributes = "invalid_attributes"
    case invalidDisplayName = "invalid_display_name"
    case invalidPasswordHash = "invalid_password_hash"
    case invalidFirebase = "invalid_firebase"
    case invalidIdentities = "invalid_identities"
    case invalidCreatedAt = "invalid_created_at"
    case invalidDisabled = "invalid_disabled"
    /// A Firebase hash without the project's parameters.
    case firebaseParametersMissing = "firebase_parameters_missing"
    case twoPasswords = "two_passwords"
    case hashMalformed = "hash_malformed"
    case hashUnsupported = "hash_unsupported"
    case hashTooCostly = "hash_too_costly"
    /// Neither an address, a number, a user name nor an identity: the account could not sign in.
    case noSignInMethod = "no_sign_in_method"
    /// The id, or the same line, was imported before.
    case alreadyImported = "already_imported"
    /// Another account has proved the address.
    case emailInUse = "email_in_use"
    /// Another account has proved the number.
    case phoneInUse = "phone_in_use"
    case userNameTaken = "user_name_taken"
    case identityInUse = "identity_in_use"

    /// The errors of the hash itself.
    init(_ error: PasswordHashError) {
        switch error {
        case .unsupportedHash: self = .hashUnsupported
        case .costRefused: self = .hashTooCostly
        case .malformedHash, .busy, .shutDown, .failed: self = .hashMalformed
        }
    }
}

/// A refused line.
package struct ImportRefused: Sendable, Equatable {
    /// 1-based.
    package let line: Int
    package let reason: ImportRefusal
}
