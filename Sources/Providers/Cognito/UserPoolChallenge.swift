import JSON

/// One challenge in the pool's words.
struct UserPoolChallenge {
    let name: String
    let session: String?
    /// The pool's name of the user, or the sent name if the pool gives none.
    let username: String
    /// All values are texts; a list or an object is JSON in a text.
    let parameters: [String: String]
    let raw: JSONObject
    /// First factors, for `SELECT_CHALLENGE` only.
    let available: [String]

    /// Nil for an answer without a challenge.
    init?(_ answer: JSONObject, of username: String) {
        guard let name = answer["ChallengeName"]?.string else { return nil }
        self.name = name
        session = answer["Session"]?.string
        raw = answer["ChallengeParameters"]?.object ?? [:]
        let texts = raw.members.compactMap { member in member.value.string.map { (member.name, $0) } }
        parameters = Dictionary(texts, uniquingKeysWith: { first, _ in first })
        self.username = parameters["USERNAME"] ?? parameters["USER_ID_FOR_SRP"] ?? username
        available = answer["AvailableChallenges"]?.array?.compactMap(\.string) ?? []
    }

    /// The destination of the code; the kind of challenge gives the medium when the parameters do not.
    func delivery(_ usual: CodeDelivery.Medium) -> CodeDelivery {
        let said = parameters["CODE_DELIVERY_DELIVERY_MEDIUM"]?.lowercased()
        return CodeDelivery(
            medium: said.flatMap(CodeDelivery.Medium.init(rawValue:)) ?? usual,
            destination: parameters["CODE_DELIVERY_DESTINATION"] ?? "")
    }

    func list(_ name: String) -> [String] {
        CognitoFactor.list(raw[name])
    }

    /// Required attributes without a value, which must come with a new password.
    var missingAttributes: [String] {
        let known = parameters["userAttributes"].flatMap { try? JSON(parsing: $0) }?.object ?? [:]
        let prefix = "userAttributes."
        let names = list("requiredAttributes").map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
        return names.filter { (known[$0]?.string ?? "").isEmpty }
    }
}

extension CodeDelivery {
    /// The `CodeDeliveryDetails` of an operation; nil if there are none.
    init?(details: JSON?) {
        guard let destination = details?["Destination"]?.string,
            let medium = details?["DeliveryMedium"]?.string.flatMap({ Medium(rawValue: $0.lowercased()) })
        else { return nil }
        self.init(medium: medium, destination: destination)
    }
}
