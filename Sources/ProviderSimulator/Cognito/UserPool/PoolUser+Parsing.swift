import JSON

extension PoolUser {
    private static let secondFactors: Set<String> = ["SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP"]
    private static let firstFactors: Set<String> = ["EMAIL_OTP", "SMS_OTP", "WEB_AUTHN"]

    /// Reads a user of `POST /control/cognito/users`; throws for an unknown member and for one of the wrong type.
    init(_ members: ControlMembers) throws {
        try members.expectOnly([
            "username", "pool", "sub", "password", "email", "phone_number", "name", "status", "enabled",
            "required_attributes", "factors", "preferred_factor", "set_up_choices", "first_factors",
            "custom_challenges", "trigger_error", "temporary_password_expired", "limited", "totp_secret", "code",
        ])
        guard let username = try members.text("username"), !username.isEmpty else {
            throw ControlError("username is missing")
        }
        let person = Person(seed: username, subject: nil, email: "", name: "")
        self.init(
            pool: try members.text("pool") ?? Defaults.cognitoPool, username: username,
            id: try members.text("sub") ?? person.guid(for: "cognito"))
        try readState(members)
        try readFactors(members)
        for name in ["email", "phone_number", "name"] { attributes[name] = try members.text(name) }
        customChallenges = try (members.list("custom_challenges") ?? []).map(Self.challenge)
        if status == .unconfirmed {
            codes["confirm_sign_up"] = try members.text("code") ?? sendCode(for: "confirm_sign_up")
        }
    }

    private mutating func readState(_ members: ControlMembers) throws(ControlError) {
        password = try members.text("password")
        if let name = try members.text("status") {
            guard let known = Status(rawValue: name) else {
                throw ControlError("status is one of \(Status.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            status = known
        }
        isEnabled = try members.flag("enabled") ?? true
        requiredAttributes = try members.texts("required_attributes") ?? []
        triggerError = try members.text("trigger_error")
        isTemporaryPasswordExpired = try members.flag("temporary_password_expired") ?? false
        isLimited = try members.flag("limited") ?? false
    }

    private mutating func readFactors(_ members: ControlMembers) throws {
        factors = try Self.names(members, "factors", of: Self.secondFactors)
        setUpChoices = try Self.names(members, "set_up_choices", of: Self.secondFactors)
        firstFactors = try Self.names(members, "first_factors", of: Self.firstFactors)
        preferredFactor = try members.text("preferred_factor")
        guard preferredFactor.map(factors.contains) ?? true else {
            throw ControlError("preferred_factor is one of factors")
        }
        if factors.contains("SOFTWARE_TOKEN_MFA") {
            totpSecret = try members.text("totp_secret") ?? Base32.encode(Array(id.utf8.prefix(20)))
        }
        if firstFactors.contains("WEB_AUTHN") { passkey = try SimulatedPasskey(userID: id) }
    }

    private static func names(
        _ members: ControlMembers, _ name: String, of known: Set<String>
    ) throws(ControlError) -> [String] {
        let names = try members.texts(name) ?? []
        guard names.allSatisfy(known.contains) else {
            throw ControlError("\(name) are \(known.sorted().joined(separator: ", "))")
        }
        return names
    }

    private static func challenge(_ value: JSON) throws(ControlError) -> CustomChallenge {
        guard let answer = value["answer"]?.string, let parameters = value["parameters"]?.object else {
            throw ControlError("a custom challenge has parameters and an answer")
        }
        let texts = parameters.members.map { ($0.name, $0.value.string ?? "") }
        return CustomChallenge(parameters: Dictionary(texts, uniquingKeysWith: { $1 }), answer: answer)
    }
}
