import JSON

/// One challenge as the pool put it.
struct CognitoChallenge {
    let name: String
    let session: String?
    /// Whose challenge it is: what the pool calls the user, or what we called it where the pool doesn't say.
    let username: String
    /// All values are texts; a list or an object is JSON in a text.
    let parameters: [String: String]
    let raw: JSONObject
    /// First factors, beside `SELECT_CHALLENGE` only.
    let available: [String]

    /// Nil for an answer that holds no challenge.
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

    /// Where the code went; the medium is said by the challenge's kind where the parameters don't.
    func delivery(_ usual: CodeDelivery.Medium) -> CodeDelivery {
        let said = parameters["CODE_DELIVERY_DELIVERY_MEDIUM"]?.lowercased()
        return CodeDelivery(
            medium: said.flatMap(CodeDelivery.Medium.init(rawValue:)) ?? usual,
            destination: parameters["CODE_DELIVERY_DESTINATION"] ?? "")
    }

    func list(_ name: String) -> [String] {
        CognitoFactor.list(raw[name])
    }

    /// Attributes that have to be given with a new password: those that are demanded and have no value yet.
    var missingAttributes: [String] {
        let known = parameters["userAttributes"].flatMap { try? JSON(parsing: $0) }?.object ?? [:]
        let prefix = "userAttributes."
        let names = list("requiredAttributes").map { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0 }
        return names.filter { (known[$0]?.string ?? "").isEmpty }
    }
}

extension CodeDelivery {
    /// The `CodeDeliveryDetails` of an operation; nil where it says nothing.
    init?(details: JSON?) {
        guard let destination = details?["Destination"]?.string,
            let medium = details?["DeliveryMedium"]?.string.flatMap({ Medium(rawValue: $0.lowercased()) })
        else { return nil }
        self.init(medium: medium, destination: destination)
    }
}
