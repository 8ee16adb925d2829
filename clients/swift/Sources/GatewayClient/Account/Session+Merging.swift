extension Session {
    /// Proves that another account belongs to the same user, by a session of it.
    ///
    /// - Parameter other: a session of ``GatewayClient/forAnotherAccount()``, at most 10 minutes old.
    public func mergeTicket(for other: Session) async throws -> MergeTicket {
        let request = MergeTicketRequest(accessToken: Secret(try await other.accessToken()))
        return try await answer(.post("/v1/account/merges/ticket", request))
    }

    /// Shows what a merge would do; the ticket stays valid.
    public func previewMerge(_ ticket: MergeTicket) async throws -> MergePreview {
        try await answer(.post("/v1/account/merges/preview", MergeRequest(ticket: ticket.ticket, digest: nil)))
    }

    /// Merges the other account into this one; it can be undone for seven days.
    public func merge(_ ticket: MergeTicket, as preview: MergePreview) async throws -> Merge {
        let request = MergeRequest(ticket: ticket.ticket, digest: preview.digest)
        let answer: MergeAnswer = try await self.answer(.post("/v1/account/merges", request))
        return answer.merge
    }

    /// The merges that can still be undone, newest first.
    public func merges() async throws -> [Merge] {
        let answer: MergesAnswer = try await self.answer(.get("/v1/account/merges"))
        return answer.merges
    }

    /// Undoes a merge; every session of the account ends, this one too.
    public func undo(_ merge: Merge) async throws {
        try await perform(APICall(method: "POST", path: "/v1/account/merges/\(pathSegment(merge.id))/undo"))
        try await finish(SessionEnd(.endedElsewhere))
    }
}

struct MergeTicketRequest: Encodable, Sendable {
    let accessToken: Secret

    enum CodingKeys: String, CodingKey, CaseIterable {
        case accessToken = "access_token"
    }
}

struct MergeRequest: Encodable, Sendable {
    let ticket: Secret
    let digest: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case ticket = "merge_ticket"
        case digest
    }
}

struct MergeAnswer: Decodable {
    let merge: Merge

    enum CodingKeys: String, CodingKey, CaseIterable {
        case merge
    }
}

struct MergesAnswer: Decodable {
    let merges: [Merge]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case merges
    }
}
