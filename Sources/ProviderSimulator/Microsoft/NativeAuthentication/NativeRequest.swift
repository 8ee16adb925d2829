import FoundationEssentials

/// A call of native authentication with a valid form by the API's page.
struct NativeRequest: Sendable {
    let operation: NativeOperation
    let form: Parameters
    let tenant: String
    let now: Date

    private static let challengeTypes: Set<String> = ["oob", "password", "redirect"]

    /// - Throws: the API's refusals that come before any user lookup.
    init(_ operation: NativeOperation, _ request: Received, tenant: String) throws(Refusal) {
        guard request.mediaType == "application/x-www-form-urlencoded" else {
            throw .native("invalid_request", 900_144, "The request body must be a form.")
        }
        let form: Parameters
        do { form = try Parameters(parsing: request.body) } catch {
            throw .native("invalid_request", 90_100, "\(error)", reason: error.description)
        }
        (self.operation, self.form, self.tenant, now) = (operation, form, tenant, request.now)
        try expectMembers()
        try expectChallengeTypes()
    }

    var clientID: String { form.value("client_id") }
    var username: String { form.value("username") }
    var capabilities: Set<String> {
        let text = form["capabilities"] ?? form["capability"] ?? ""
        return Set(text.split { $0 == " " || $0 == "," }.map(String.init))
    }
    var challengeTypes: Set<String> { Set(form.value("challenge_type").split(separator: " ").map(String.init)) }

    /// A parameter that only this grant requires.
    func demanded(_ name: String) throws(Refusal) -> String {
        guard let value = form[name], !value.isEmpty else { throw .emptyParameter(name) }
        return value
    }

    private func expectMembers() throws(Refusal) {
        let known = operation.required.union(operation.optional).union(["client_id"])
        // The real API ignores unknown parameters; refusing them here reveals mistakes. SDKs add those with a prefix.
        for name in form.names where !known.contains(name) && name != "nca" && !name.hasPrefix("x-client-") {
            throw .native("invalid_request", 90_100, "The \(name) parameter is not known.")
        }
        for name in ["client_id"] + operation.required.sorted() where form.value(name).isEmpty {
            throw .emptyParameter(name)
        }
        let halves = username.split(separator: "@", omittingEmptySubsequences: false)
        guard !operation.required.contains("username") || halves.count == 2 && !halves.contains("") else {
            throw .emptyParameter("username")
        }
    }

    private func expectChallengeTypes() throws(Refusal) {
        guard form["challenge_type"] != nil else { return }
        guard operation != .registerChallenge else {
            guard form["challenge_type"] == "oob" else { throw .emptyParameter("challenge_type") }
            return
        }
        guard challengeTypes.isSubset(of: Self.challengeTypes) else {
            throw .native(
                "invalid_request", 90_100,
                "The challenge_type list parameter contains an unsupported challenge type.")
        }
        guard challengeTypes.contains("redirect") else {
            throw .native(
                "unsupported_challenge_type", 901_007, "The challenge_type list parameter must include redirect.")
        }
    }
}
