import JSON

extension MintOrder {
    private static let everywhere: Set<String> = [
        "provider", "subject", "email", "client_id", "count", "distinct_subjects",
    ]
    /// The members of orders for signed tokens.
    static let ofTokens: Set<String> = ["claims", "null_claims", "header", "signing", "nonce", "nonces"]
    /// The members of orders for codes.
    static let ofCodes: Set<String> = ["redirect_uri", "code_challenge"]

    /// Reads an order; throws for an unknown member and for one of the wrong type.
    init(_ members: ControlMembers) throws(ControlError) {
        let provider = try members.provider()
        try members.expectOnly(Self.everywhere.union(provider.kind?.orders ?? []))
        self.init(provider: provider)
        try readPerson(members)
        try readToken(members)
        try readCode(members)
        try readPlace(members)
    }

    private mutating func readPerson(_ members: ControlMembers) throws(ControlError) {
        let user = try members.object("user") ?? [:]
        let subject = try members.text("subject") ?? user["user_id"]?.string
        let email = try members.text("email") ?? user["email"]?.string
        for member in user.members where !["user_id", "name", "email"].contains(member.name) {
            throw ControlError("user has no member \(member.name)")
        }
        person = Person(
            seed: person.seed, subject: subject, email: email ?? person.email, name: user["name"]?.string ?? person.name
        )
    }

    private mutating func readToken(_ members: ControlMembers) throws(ControlError) {
        clientID = try members.text("client_id") ?? clientID
        nonce = try members.text("nonce")
        let replaceable = ["claims", "header", "code_claims", "access_claims", "tokeninfo", "profile"]
        for name in replaceable where !members.isNull(name) {
            replacements[name] = try members.object(name)
        }
        nullClaims = try members.texts("null_claims") ?? []
        hasProfile = !members.isNull("profile")
        guard hasProfile || provider.kind?.mayLackProfile == true else {
            throw ControlError("profile must be an object")
        }
        emails = try members.list("emails")
        guard let mode = try members.text("signing") else { return }
        guard let known = SigningMode(rawValue: mode) else {
            throw ControlError("signing is one of \(SigningMode.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        signing = known
    }

    private mutating func readCode(_ members: ControlMembers) throws(ControlError) {
        redirectURI = try members.text("redirect_uri")
        isPublicClient = try members.flag("public_client") ?? false
        if members.isNull("code_challenge") {
            challenge = .none
        } else if let given = try members.text("code_challenge") {
            challenge = .given(given)
        }
    }

    private mutating func readPlace(_ members: ControlMembers) throws(ControlError) {
        tenant = try members.text("tenant")
        isExternalTenant = try members.flag("external")
        pool = try members.text("pool")
        if let tenant, !GUID.isOne(tenant) { throw ControlError("tenant is a GUID in lower case") }
    }
}
