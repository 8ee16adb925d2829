import FoundationEssentials
import JSON

extension AppleSimulator: AuthorizingProvider {
    var rules: AuthorizationRules {
        AuthorizationRules(
            title: "Apple", colour: "#000", responseTypes: ["code", "code id_token"],
            responseModes: [.query, .fragment, .formPost], scopes: ["name", "email"], scopeRule: .optional,
            hasNonce: true, allowsPlainChallenge: false, furtherParameters: [], choices: [.emailVerified, .hideEmail],
            sendsErrorsBack: false, cancellation: [FormField("error", "user_cancelled_authorize")],
            failure: [FormField("error", "server_error")])
    }

    /// Apps have no redirect address, so this accepts only services ids.
    func admit(_ client: String, at route: Route) throws(Refusal) {
        guard secrets.isService(client) else {
            throw .badRequest("invalid_client", "Invalid client.", reason: "the client id is no services id")
        }
    }

    var foreignRedirect: Refusal {
        .badRequest("unauthorized_client", "Invalid web redirect url.", reason: "redirect_uri is not registered")
    }

    /// Names and addresses are only ever posted, tokens never go into a query, and a plus sign is no space.
    func check(_ request: AuthorizationRequest) throws(Refusal) {
        let mode = request.returning.mode
        guard request.scopes.isEmpty || mode == .formPost else {
            throw .invalidRequest("response_mode must be form_post when name or email scope is requested.")
        }
        guard !request.wantsIDToken || mode != .query else { throw .invalidRequest("Invalid response mode") }
        guard !request.query.utf8.contains(UInt8(ascii: "+")) else {
            throw .invalidRequest("a space is written %20 here, not +")
        }
    }

    func grant(_ request: AuthorizationRequest, by consent: Consent, at now: Date) throws -> [FormField] {
        let person = consent[.hideEmail] == true ? consent.person.behindRelay : consent.person
        var order = MintOrder(request, for: person, at: name, now: now)
        order.limitEmail(
            to: "email", verified: ["email_verified": consent[.emailVerified] == false ? "false" : "true"],
            dropping: ["email", "email_verified", "is_private_email"])
        let minted = try mint(order, for: person)
        var fields = [FormField("code", minted.members["authorization_code"]?.string ?? "")]
        if request.wantsIDToken { fields.append(FormField("id_token", minted.token)) }
        let subject = minted.members["claims"]?["sub"]?.string ?? ""
        if !request.scopes.isEmpty, introductions.isFirst(of: subject, to: request.clientID) {
            fields.append(FormField("user", JSON.object(person.introduction(request.scopes)).text))
        }
        return fields
    }

    func register(client: String) { secrets.register(client, asService: true) }
}

extension Person {
    /// The same user with a relay address of Apple.
    fileprivate var behindRelay: Person {
        Person(
            seed: seed, subject: subject, email: digits(10, for: "apple-relay") + "@privaterelay.appleid.com",
            name: name)
    }

    /// The requested parts of the `user` field.
    fileprivate func introduction(_ scopes: [String]) -> JSONObject {
        var user: JSONObject = [:]
        if scopes.contains("name") {
            let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
            user["name"] = [
                "firstName": .string(parts.first ?? ""), "lastName": .string(parts.dropFirst().first ?? ""),
            ]
        }
        if scopes.contains("email"), !email.isEmpty { user["email"] = .string(email) }
        return user
    }
}
