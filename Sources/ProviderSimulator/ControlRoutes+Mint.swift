import JSON

extension ControlRoutes {
    /// The limit of tokens in one request.
    private static let largestBatch = 50_000

    /// `POST /control/mint`: one credential with all its parts, or a batch of bare tokens.
    func mint(_ members: ControlMembers) async throws -> Answer {
        let order = try MintOrder(members)
        let provider = try provider(order.provider)
        let nonces = try members.texts("nonces")
        let count = try members.number("count", in: 1...Self.largestBatch)
        let isDistinct = try members.flag("distinct_subjects") ?? false
        guard nonces == nil || count == nil || nonces?.count == count else {
            throw ControlError("nonces must be as many as count says")
        }
        guard let size = count ?? nonces?.count else {
            guard !isDistinct else { throw ControlError("distinct_subjects belongs to a batch, which count makes") }
            return .secret(.object(try provider.mint(order, for: order.person).members))
        }
        guard size <= Self.largestBatch else { throw ControlError("a batch has \(Self.largestBatch) tokens at most") }
        let orders = batch(order, count: size, nonces: nonces, isDistinct: isDistinct)
        return .secret(["tokens": .array(try await tokens(orders, by: provider).map(JSON.string))])
    }

    /// `GET /control/mint/{provider}` and `GET /control/sign-in/{provider}`, for command lines.
    ///
    /// The second returns the whole body of the gateway's `POST /v1/sign-in`.
    func mint(_ name: String, _ query: Parameters, asSignIn: Bool) throws -> Answer {
        let members = ControlMembers(query)
        let further: Set<String> = asSignIn ? ["app", "flow"] : []
        try members.expectOnly(further.union(["subject", "email", "client_id", "nonce"]))
        guard let known = ProviderName(rawValue: name) else { throw ControlError("there is no provider of this name") }
        guard members.object["nonce"] == nil || known.kind?.orders.contains("nonce") == true else {
            throw ControlError("\(name) has no nonce")
        }
        var usual = members.object
        for member in further { usual[member] = Optional<JSON>.none }
        usual["provider"] = .string(name)
        let order = try MintOrder(ControlMembers(usual))
        let minted = try provider(known).mint(order, for: order.person)
        guard asSignIn else { return .secret(.object(minted.members)) }
        return .secret([
            "provider": .string(name), "client_id": .string(query["app"] ?? "app"),
            "credential": .object(try credential(minted, flow: query["flow"] ?? "token")),
        ])
    }

    private func credential(_ minted: Minted, flow: String) throws(ControlError) -> JSONObject {
        switch flow {
        case "token": return minted.credential
        case "code":
            guard let credential = minted.codeCredential else { throw ControlError("this provider has no flow code") }
            return credential
        default: throw ControlError("flow is token or code")
        }
    }

    private func batch(_ order: MintOrder, count: Int, nonces: [String]?, isDistinct: Bool) -> [MintOrder] {
        let name = RandomText.hex(4)
        return (0..<count).map { number in
            var order = order
            order.withCode = false
            if let nonces { order.nonce = nonces[number] }
            if isDistinct { order.person = order.person.numbered(number, batch: name) }
            return order
        }
    }

    /// Signs on every core, in order, and lets other requests run between the parts.
    private func tokens(_ orders: [MintOrder], by provider: any SimulatedProvider) async throws -> [String] {
        let size = 100
        let parts = stride(from: 0, to: orders.count, by: size).map { orders[$0..<min($0 + size, orders.count)] }
        return try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for (index, part) in parts.enumerated() {
                group.addTask { (index, try part.map { try provider.mint($0, for: $0.person).token }) }
            }
            var done = [[String]](repeating: [], count: parts.count)
            for try await (index, tokens) in group { done[index] = tokens }
            return done.flatMap(\.self)
        }
    }
}
