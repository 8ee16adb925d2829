import JSON

/// The claims policy of an app in a form: one field for each of its members.
extension ClientFields {
    /// The label of each is the message `console.client.<it>`.
    static let claims = [
        "claims_url", "claims_audience", "claims_application", "claims_allowed", "claims_failure",
        "claims_attributes", "claims_refresh_seconds",
    ]
    static let claimsLists = ["claims_allowed", "claims_attributes"]
    static let failures = ["closed", "open"]

    static func claimsTexts(_ policy: Facts) -> [String: String] {
        let mappings = policy.part("attributes").members.members.map { "\($0.name):\($0.value.string ?? "")" }
        let seconds = policy.members["refresh_seconds"]?.integer
        return [
            "claims_url": policy["url"] ?? "", "claims_audience": policy["audience"] ?? "",
            "claims_application": policy["application"] ?? "",
            "claims_allowed": policy.names("allowed").joined(separator: "\n"),
            "claims_failure": policy["failure"] ?? "", "claims_attributes": mappings.joined(separator: "\n"),
            "claims_refresh_seconds": seconds.map { "\($0)" } ?? "",
        ]
    }

    /// The policy; null if neither a service nor an attribute is entered.
    static func claims(_ texts: [String: String]) -> JSON {
        func entered(_ name: String) -> String { texts["claims_\(name)"] ?? "" }
        let hasService = ["url", "audience", "allowed"].contains { !entered($0).isEmpty }
        guard hasService || !entered("attributes").isEmpty else { return .null }
        var policy: JSONObject = ["attributes": .object(JSONObject(lines(entered("attributes")).map(mapping)))]
        if hasService {
            policy["url"] = .string(entered("url"))
            policy["audience"] = .string(entered("audience"))
            policy["allowed"] = .array(lines(entered("allowed")).map { .string($0) })
        }
        for name in ["application", "failure"] where !entered(name).isEmpty { policy[name] = .string(entered(name)) }
        let seconds = entered("refresh_seconds")
        if !seconds.isEmpty { policy["refresh_seconds"] = Int(seconds).map { .integer($0) } ?? .string(seconds) }
        return .object(policy)
    }

    /// `attribute:claim`, or one name for both.
    private static func mapping(_ line: String) -> JSONObject.Member {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return JSONObject.Member(name: parts[0], value: .string(parts.last ?? ""))
    }
}
