/// A verified use of a credential: the values that the relying party updates.
package struct Assertion: Equatable, Sendable {
    package let credentialID: [UInt8]
    package let signCount: UInt32
    package let isUserVerified: Bool
    package let isBackupEligible: Bool
    package let isBackedUp: Bool
}
