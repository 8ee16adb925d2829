package import Accounts
import Cryptography
package import Foundation
import JSON

/// A merge by the person that can still be taken back.
package struct OwnMerge: Sendable, Equatable {
    package let id: UUID
    /// The account that went into this one.
    package let absorbed: UUID
    package let madeAt: Date
    /// Until then it can be taken back.
    package let undoUntil: Date
}

/// What a merge would do, for the person.
package struct MergePreview: Sendable, Equatable {
    /// Stands for both accounts as they were looked at.
    package let digest: String
    package let identities: [LinkedIdentity]
    package let emails: [String]
    package let phones: [String]
    package let passkeys: Int
    package let factors: Int
    /// Whether the password comes along.
    package let movesPassword: Bool
    /// Whether there is a password that opens nothing from then on, since both have one.
    package let losesPassword: Bool
    /// How many sessions of the other account end.
    package let endsSessions: Int

    init(_ report: MergeStore.Report, identities: [LinkedIdentity]) {
        let moves = report.facts["moves"]
        func texts(_ name: String) -> [String] { moves?[name]?.array?.compactMap(\.string) ?? [] }
        let moving = Set(texts("identities"))
        self.digest = report.digest
        self.identities = identities.filter { moving.contains($0.id.text) }
        (emails, phones) = (texts("emails"), texts("phones"))
        (passkeys, factors) = (texts("passkeys").count, texts("factors").count)
        movesPassword = moves?["password"]?.bool == true
        losesPassword = report.facts["stays_behind"]?["password"].map { !$0.isNull } == true
        endsSessions = report.facts["ends_sessions"]?.integer ?? 0
    }
}
