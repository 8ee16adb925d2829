import Accounts
import Foundation
import JSON

/// The account that a sign-in makes for an identity that nobody has.
struct AccountToMake: Sendable {
    let account: UUID
    let identity: UUID
    /// The address that the account gets, proved or not; nil for none.
    let address: EmailAddress?
    /// Whether the address is proved, and so ends every unproved claim on it.
    let takesAddress: Bool
    let rule: LinkingPolicy.Rule
    let explain: JSON

    /// Who is signed in once it is made.
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
