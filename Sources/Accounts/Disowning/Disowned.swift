import Foundation
import JSON

/// The result of disowning a sign-in.
package enum Disowned: Sendable, Equatable {
    /// Every session of the account ended.
    case done(DisownReport)
    /// It was disowned before; nothing changed.
    case doneBefore
    /// The account went into another one, by a merge that can't be undone here. Nothing changed.
    case stillMerged
}

/// What disowning a sign-in changed, and what its account holder can still remove.
package struct DisownReport: Sendable, Equatable {
    /// The way to a new password; nil if the account has no password.
    package let reset: DisownReset?
    /// The methods that a session added since that sign-in, which went, and each merge or deletion that was undone.
    package let removed: [DisownedMethod]
    /// The methods that came since and stay.
    package let kept: [DisownedMethod]
    /// Allows its bearer to remove those, and to begin the reset, for ``DisownTickets/followUpLife``.
    package let followUp: String

    /// The accounts from which this one was separated.
    var separated: [UUID] { removed.filter { $0.kind == .merge }.compactMap { UUID(text: $0.id) } }
}

/// The facts with which the reset begins after a sign-in was disowned.
package struct DisownReset: Sendable, Equatable {
    /// The app of the reported sign-in.
    package let client: String
    /// The proved main address of the account, unless it came since that sign-in; nil if there is none.
    package let mailbox: String?
}

/// A sign-in method or second factor that an account gained since a disowned sign-in (`method_origin/methods_since.sql`), or
/// its merge or deletion.
package struct DisownedMethod: Sendable, Equatable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        case identity, email, phone, totp, passkey, password
        case emailCode = "email_otp"
        case smsCode = "sms_otp"
        case recoveryCodes = "recovery_codes"
        /// These are only undone, never kept.
        case merge, deletion
    }

    package let kind: Kind
    /// Its id or address, or the other account of a merge; empty for a kind of which an account has one.
    package let id: String
    /// The name that the user knows; nil for none.
    package let name: String?

    package init(kind: Kind, id: String, name: String?) {
        (self.kind, self.id, self.name) = (kind, id, name)
    }

    /// The list in an answer of the database.
    static func list(_ text: String?) throws -> [DisownedMethod] {
        try text.flatMap { try JSON(parsing: $0, limits: .provider).array }.map { list in
            list.compactMap { item in
                item["kind"]?.string.flatMap(Kind.init(rawValue:)).map {
                    DisownedMethod(kind: $0, id: item["id"]?.string ?? "", name: item["name"]?.string)
                }
            }
        } ?? []
    }
}
