import Accounts
import JSON

/// One change of `SetUserMFAPreference`, for users and for back ends.
enum CognitoMFAChange {
    case prefer(AccountFactors.Factor, Bool)
    case remove(AccountFactors.Factor)

    /// The changes of a request, all checked before the first one is made.
    ///
    /// - Throws: ``CognitoError`` for an enabled factor that the user does not have.
    static func all(
        in request: CognitoRequest, _ held: [AccountFactors.Factor]
    ) throws(CognitoError) -> [CognitoMFAChange] {
        var changes: [CognitoMFAChange] = []
        for kind in AccountFactors.Kind.allCases {
            guard let settings = request.body[kind.cognitoSettings]?.object else { continue }
            changes += try all(kind, settings, held)
        }
        return changes
    }

    /// The changes of one kind of factor; none where the factor has the settings already.
    static func all(
        _ kind: AccountFactors.Kind, _ settings: JSONObject, _ held: [AccountFactors.Factor]
    ) throws(CognitoError) -> [CognitoMFAChange] {
        let held = held.filter { $0.kind == kind }
        guard settings["Enabled"]?.bool == true else { return held.map { .remove($0) } }
        guard let factor = held.first else { throw .invalid("User does not have \(kind.cognitoName) set up.") }
        let isPreferred = settings["PreferredMfa"]?.bool ?? false
        return isPreferred == factor.isPreferred ? [] : [.prefer(factor, isPreferred)]
    }
}

/// The second factors of a user as `GetUser` lists them.
struct CognitoMFASettings {
    private let factors: [AccountFactors.Factor]

    init(_ factors: AccountFactors) { self.factors = factors.factors }

    /// `UserMFASettingList` and `PreferredMfaSetting`; absent without a factor.
    func write(to answer: inout JSONObject) {
        guard !factors.isEmpty else { return }
        let kinds = AccountFactors.Kind.allCases.filter { kind in factors.contains { $0.kind == kind } }
        answer["UserMFASettingList"] = .array(kinds.map { .string($0.cognitoName) })
        answer["PreferredMfaSetting"] = factors.first(where: \.isPreferred).map { .string($0.kind.cognitoName) }
    }
}

extension AccountFactors.Kind {
    /// Its name in lists of factors.
    var cognitoName: String {
        switch self {
        case .totp: "SOFTWARE_TOKEN_MFA"
        case .sms: "SMS_MFA"
        case .email: "EMAIL_OTP"
        }
    }

    /// The member of `SetUserMFAPreference`.
    fileprivate var cognitoSettings: String {
        switch self {
        case .totp: "SoftwareTokenMfaSettings"
        case .sms: "SMSMfaSettings"
        case .email: "EmailMfaSettings"
        }
    }
}
