import Foundation
import JSON
import Postgres
import Vocabulary

/// The account that a sign-in makes for an unknown identity.
struct AccountToMake: Sendable {
    let account: UUID
    let identity: UUID
    /// The address that the account gets, proved or not; nil for none.
    let address: EmailAddress?
    /// Whether the address is proved, which ends all unproved claims on it.
    let takesAddress: Bool
    let rule: LinkingPolicy.Rule
    let explain: JSON

    /// The signed-in person once the account is made.
    ///
    /// - Parameter createdAt: the moment of the database.
    func person(_ identity: VerifiedIdentity, createdAt: Date) -> SignInStore.Person {
        SignInStore.Person(
            account: AccountSummary(
                id: account, displayName: identity.displayName, email: address?.text,
                emailVerified: address != nil && takesAddress, createdAt: createdAt),
            identity: IdentitySummary(
                id: self.identity, provider: identity.provider, subject: identity.subject))
    }
}

extension SQL.StringInterpolation {
    /// Binds the composite value `new_account`.
    mutating func appendInterpolation(_ new: AccountToMake?, of identity: VerifiedIdentity) {
        guard let new else {
            appendLiteral("null::new_account")
            return
        }
        appendLiteral("row(")
        appendInterpolation(new.account)
        appendLiteral(", ")
        appendInterpolation(new.identity)
        appendLiteral(", ")
        appendInterpolation(identity)
        appendLiteral(", ")
        appendInterpolation(new.address?.text)
        appendLiteral(", ")
        appendInterpolation(new.address?.key)
        appendLiteral(", ")
        appendInterpolation(new.takesAddress)
        appendLiteral(", ")
        appendInterpolation(new.rule.rawValue)
        appendLiteral(", ")
        appendInterpolation(JSONText(new.explain.text))
        appendLiteral(")::new_account")
    }
}
