/// What the relying party stored of a credential, as an assertion is held against it.
package struct StoredCredential: Equatable, Sendable {
    package let id: [UInt8]
    package let publicKey: [UInt8]
    package let signCount: UInt32
    package let isBackupEligible: Bool
    /// The handle that its account had when it was made.
    package let userHandle: [UInt8]

    package init(id: [UInt8], publicKey: [UInt8], signCount: UInt32, isBackupEligible: Bool, userHandle: [UInt8]) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.userHandle = userHandle
    }
}
