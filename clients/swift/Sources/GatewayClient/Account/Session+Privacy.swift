public import Foundation

extension Session {
    /// Everything that the gateway holds about the user, as one JSON document.
    ///
    /// The session must have been proved less than 10 minutes ago.
    public func exportData() async throws -> Data { try await perform(.get("/v1/account/export")) }

    /// Deletes the account; every session ends, this one too.
    ///
    /// - Returns: the pending deletion, which the user can cancel until its day; nil if it is done already.
    public func deleteAccount() async throws -> Deletion? {
        let data = try await perform(.delete("/v1/account"))
        let answer = data.isEmpty ? nil : try? API.decoder.decode(DeletionAnswer.self, from: data)
        try await finish(SessionEnd(.signedOut))
        return answer?.deletion
    }

    /// Cancels the pending deletion of the account.
    public func cancelDeletion() async throws { try await perform(.delete("/v1/account/deletion")) }
}

struct DeletionAnswer: Decodable {
    let deletion: Deletion

    enum CodingKeys: String, CodingKey, CaseIterable {
        case deletion
    }
}
