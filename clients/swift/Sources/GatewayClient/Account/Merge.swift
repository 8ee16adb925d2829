public import Foundation

/// A merge of two accounts that can still be undone.
public struct Merge: Codable, Sendable, Hashable, Identifiable {
    /// The merge's id.
    public let id: String
    /// The account that was merged into this one.
    public let absorbedAccountID: String
    /// The time of the merge.
    public let madeAt: Date
    /// Until when it can be undone.
    public let undoUntil: Date

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case absorbedAccountID = "absorbed_account_id"
        case madeAt = "made_at"
        case undoUntil = "undo_until"
    }
}

/// The result that a merge would have.
public struct MergePreview: Codable, Sendable, Hashable {
    /// Names this state of both accounts: the merge needs it.
    public let digest: String
    /// The parts that would move.
    public let moves: MergeMoves
    /// Whether the other account's password would stop working.
    public let losesPassword: Bool
    /// The number of sessions that would end.
    public let endsSessions: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
        case digest, moves
        case losesPassword = "loses_password"
        case endsSessions = "ends_sessions"
    }
}

/// The parts of the other account that would move into this one.
public struct MergeMoves: Codable, Sendable, Hashable {
    /// Identities at providers.
    public let identities: [Identity]
    /// Addresses.
    public let emails: [String]
    /// Numbers.
    public let phones: [String]
    /// The number of passkeys.
    public let passkeys: Int
    /// The number of second factors.
    public let factors: Int
    /// Whether the password moves.
    public let password: Bool

    enum CodingKeys: String, CodingKey, CaseIterable {
        case identities, emails, phones, passkeys, factors, password
    }
}

/// The proof that the other account belongs to the same user; it works once.
public struct MergeTicket: Sendable, Hashable, Decodable {
    let ticket: Secret

    init(_ ticket: Secret) { self.ticket = ticket }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case ticket = "merge_ticket"
    }
}
