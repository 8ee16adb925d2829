package import Foundation
import JSON
package import Vocabulary

/// A merge by the user that can still be undone.
package struct OwnMerge: Sendable, Equatable {
    package let id: UUID
    /// The absorbed account.
    package let absorbed: UUID
    package let madeAt: Date
    /// The end of the undo period.
    package let undoUntil: Date
}

/// The effects of a merge, as the user sees them in advance.
package struct MergePreview: Sendable, Equatable {
    /// Identifies the previewed state of both accounts.
    package let digest: String
    package let identities: [LinkedIdentity]
    package let emails: [String]
    package let phones: [String]
    package let passkeys: Int
    package let factors: Int
    /// Whether the merge moves the password.
    package let movesPassword: Bool
    /// Whether one password stops working, because both accounts have one.
    package let losesPassword: Bool
    /// The number of the other account's sessions that end.
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
