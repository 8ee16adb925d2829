/// The stored values of a credential, for verifying an assertion.
package struct StoredCredential: Equatable, Sendable {
    package let id: [UInt8]
    package let publicKey: [UInt8]
    package let signCount: UInt32
    package let isBackupEligible: Bool
    /// The handle of its account at creation.
    package let userHandle: [UInt8]

    package init(id: [UInt8], publicKey: [UInt8], signCount: UInt32, isBackupEligible: Bool, userHandle: [UInt8]) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.userHandle = userHandle
    }
}
