extension Session {
    /// The linked identities, oldest first.
    public func identities() async throws -> [Identity] {
        let answer: IdentitiesAnswer = try await self.answer(.get("/v1/account/identities"))
        return answer.identities
    }

    /// Links another identity.
    ///
    /// ``ErrorCode/identityInUse`` with a ticket means that another account of the user has it:
    /// ``previewMerge(_:)``.
    ///
    /// The first method of a guest brings another session, which the client announces.
    public func link(_ credential: Credential) async throws -> Identity {
        let request = LinkRequest(provider: credential.provider, credential: credential.members)
        let answer: LinkAnswer = try await self.answer(.post("/v1/account/identities", request))
        try await replace(answer.session)
        return answer.identity
    }

    /// Unlinks an identity; sessions that began with it end, except this one.
    public func unlink(_ identity: Identity) async throws {
        try await perform(.delete("/v1/account/identities/\(pathSegment(identity.id))"))
    }

    /// The addresses and numbers of the account.
    public func addresses() async throws -> [AccountAddress] {
        let answer: AddressesAnswer = try await self.answer(.get("/v1/account/addresses"))
        return answer.addresses
    }

    /// Sends a code to a new address or number; it is added when the code is confirmed.
    public func addAddress(_ address: String) async throws -> AddressEnrolment {
        let next: NextStepAnswer = try await answer(.post("/v1/account/addresses", AddressRequest(address: address)))
        return AddressEnrolment(session: self, flow: next.flow, delivery: next.step.delivery)
    }

    /// Makes an address or number the main one of its kind.
    public func makeMain(_ address: AccountAddress) async throws -> [AccountAddress] {
        let path = "/v1/account/addresses/\(pathSegment(address.address))"
        let answer: AddressesAnswer = try await self.answer(.patch(path, AddressChange(main: true)))
        return answer.addresses
    }

    /// Removes an address or number.
    public func remove(_ address: AccountAddress) async throws {
        try await perform(.delete("/v1/account/addresses/\(pathSegment(address.address))"))
    }
}

/// A new address that waits for its code.
public struct AddressEnrolment: Sendable {
    let session: Session
    let flow: Secret
    /// The destination of the code.
    public let delivery: Delivery?

    /// Adds the address if the code is right.
    public func confirm(code: String) async throws -> [AccountAddress] {
        let request = ConfirmRequest(flow: flow, response: StepResponse(code: Secret(code)))
        let answer: AddressAddedAnswer = try await session.answer(.post("/v1/account/addresses/confirm", request))
        try await session.replace(answer.session)
        return answer.addresses
    }

    /// Sends another code; the previous one stops working.
    public func resend() async throws { try await session.resend(flow) }
}

extension Session {
    func resend(_ flow: Secret) async throws {
        try await perform(.post("/v1/sign-in/resend", FlowRequest(flow: flow)))
    }
}

struct ConfirmRequest: Encodable, Sendable {
    let flow: Secret
    let response: StepResponse

    enum CodingKeys: String, CodingKey, CaseIterable {
        case flow, response
    }
}

struct IdentitiesAnswer: Decodable {
    let identities: [Identity]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case identities
    }
}

struct LinkRequest: Encodable, Sendable {
    let provider: String
    let credential: CredentialMembers

    enum CodingKeys: String, CodingKey, CaseIterable {
        case provider, credential
    }
}

struct LinkAnswer: Decodable {
    let identity: Identity
    /// For a guest: the session that replaces this one.
    let session: TokensAnswer?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case identity, session
    }
}

struct AddressesAnswer: Decodable {
    let addresses: [AccountAddress]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case addresses
    }
}

struct AddressAddedAnswer: Decodable {
    let addresses: [AccountAddress]
    /// For a guest: the session that replaces this one.
    let session: TokensAnswer?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case addresses, session
    }
}

struct AddressRequest: Encodable, Sendable {
    let address: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case address
    }
}

struct AddressChange: Encodable, Sendable {
    let main: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case main
    }
}
