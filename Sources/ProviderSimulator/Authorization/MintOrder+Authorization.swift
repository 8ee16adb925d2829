import FoundationEssentials
import JSON

extension MintOrder {
    /// What somebody allowed an app to be told, as an order for the code that says it.
    init(_ request: AuthorizationRequest, for person: Person, at provider: ProviderName, now: Date) {
        self.init(provider: provider)
        self.person = person
        self.now = now
        clientID = request.clientID
        nonce = request.nonce
        redirectURI = request.returning.uri
        challenge = request.challenge
        scopes = request.scopes
    }

    /// Claims of the e-mail address, as far as it was asked for and there is one.
    mutating func limitEmail(to scope: String, verified: JSONObject, dropping names: [String]) {
        let isTold = scopes?.contains(scope) == true && !person.email.isEmpty
        change("claims", isTold ? verified : JSONObject(names.map { JSONObject.Member(name: $0, value: .null) }))
    }

    /// Adds to the replacements of a member of the order.
    mutating func change(_ member: String, _ changes: JSONObject) {
        var all = replacements[member] ?? [:]
        for change in changes.members { all[change.name] = change.value }
        replacements[member] = all
    }
}
