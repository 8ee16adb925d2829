import FoundationEssentials
import HTTPTypes
import JSON

/// A request to the user-pool API: its operation, and its checked members.
struct UserPoolRequest: Sendable {
    let operation: UserPoolOperation
    let members: JSONObject
    let now: Date

    init(_ request: Received) throws(Refusal) {
        try request.expectNoQuery()
        guard request.mediaType.hasPrefix("application/x-amz-json-1.") else {
            throw .userPool("SerializationException", "", reason: "the content type is application/x-amz-json-1.1")
        }
        guard let target = try request.header("x-amz-target"), let operation = UserPoolOperation(target: target) else {
            throw .userPool("UnknownOperationException", "", reason: "X-Amz-Target names no operation that is played")
        }
        guard let members = (try? JSON(parsing: request.body))?.object else {
            throw .userPool("SerializationException", "", reason: "the body is no JSON object")
        }
        (self.operation, self.members, now) = (operation, members, request.now)
        try checkNames()
        for member in members.members { try Shape.check(member.name, member.value) }
    }

    /// A required text of the operation.
    func text(_ name: String) -> String { members[name]?.string ?? "" }

    func optional(_ name: String) -> String? { members[name]?.string }

    /// A map of texts; absent is empty.
    func map(_ name: String) -> [String: String] {
        let pairs = members[name]?.object?.members.map { ($0.name, $0.value.string ?? "") } ?? []
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// Refuses unknown members, which Cognito ignores, since they can only be mistakes.
    private func checkNames() throws(Refusal) {
        for member in members.members
        where !operation.required.contains(member.name) && !operation.optional.contains(member.name) {
            throw .userPool("InvalidParameterException", "There is no member \(member.name).")
        }
        for name in operation.required.sorted() where members[name]?.isNull ?? true {
            throw .constraint("Value null", name, "Member must not be null")
        }
    }
}

/// The shapes of members in the service model.
private enum Shape {
    static func check(_ name: String, _ value: JSON) throws(Refusal) {
        switch name {
        case "AuthParameters", "ChallengeResponses", "ClientMetadata": try checkMap(name, value)
        case "AnalyticsMetadata": try checkMap(name, value)
        case "UserContextData":
            try checkMap(name, value)
            for member in value.object?.members ?? [] where !["IpAddress", "EncodedData"].contains(member.name) {
                throw .userPool("InvalidParameterException", "There is no member \(member.name).")
            }
        case "ForceAliasCreation":
            guard value.bool != nil else { throw wrongType(name) }
        default:
            guard let text = value.string else { throw wrongType(name) }
            try check(name, text)
        }
    }

    private static func checkMap(_ name: String, _ value: JSON) throws(Refusal) {
        guard let object = value.object, object.members.allSatisfy({ $0.value.string != nil }) else {
            throw wrongType(name)
        }
    }

    private static func check(_ name: String, _ text: String) throws(Refusal) {
        let (lengths, isAllowed) = rule(name)
        let value = ["Password", "SecretHash", "ClientSecret", "Token"].contains(name) ? "Value" : "Value '\(text)'"
        guard text.unicodeScalars.count >= lengths.lowerBound else {
            throw .constraint(
                value, name, "Member must have length greater than or equal to \(lengths.lowerBound)")
        }
        guard text.unicodeScalars.count <= lengths.upperBound else {
            throw .constraint(value, name, "Member must have length less than or equal to \(lengths.upperBound)")
        }
        guard text.unicodeScalars.allSatisfy(isAllowed) else {
            throw .constraint(value, name, "Member must satisfy regular expression pattern")
        }
    }

    private static func rule(_ name: String) -> (ClosedRange<Int>, (Unicode.Scalar) -> Bool) {
        switch name {
        case "ClientId": (1...128, { isWord($0) || $0 == "+" })
        case "Username": (1...128, { !$0.properties.isWhitespace && $0.value >= 0x21 })
        case "Password": (1...256, { !$0.properties.isWhitespace })
        case "SecretHash": (1...128, { isWord($0) || "+=/".unicodeScalars.contains($0) })
        case "ConfirmationCode": (1...2_048, { !$0.properties.isWhitespace })
        case "UserCode": (6...6, { ("0"..."9").contains($0) })
        case "Session": (20...2_048, { _ in true })
        case "Token": (1...100_000, { isWord($0) || "-=.".unicodeScalars.contains($0) })
        case "ClientSecret": (24...64, { isWord($0) || $0 == "+" })
        default: (1...2_048, { _ in true })
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) || scalar == "_"
    }

    private static func wrongType(_ name: String) -> Refusal {
        .userPool("SerializationException", "", reason: "\(name) is of the wrong type")
    }
}
