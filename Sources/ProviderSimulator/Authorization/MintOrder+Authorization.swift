import FoundationEssentials
import JSON

extension MintOrder {
    /// A user's consent as an order for a code with the granted data.
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

    /// Limits the e-mail claims to the requested ones, if there is an address.
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
