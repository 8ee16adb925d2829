import Cryptography

extension RelyingParty {
    /// Follows WebAuthn §7.2, with ``BackupRule`` for the backup flags.
    ///
    /// `allowedIDs` are those of the request options. Without any, the account was not known before, so the
    /// authenticator must state the credential's user handle. The counter is checked last: `counterWentBack` means that
    /// all else was valid. Storing the new counter must fail if the old one changed meanwhile, or two uses of one
    /// response could pass.
    package func verifyAssertion(
        _ response: AuthenticationResponse, challenge: Challenge, credential: StoredCredential,
        allowedIDs: [[UInt8]], requiresUserVerification: Bool
    ) throws(WebAuthnError) -> Assertion {
        guard response.credentialID == credential.id else { throw .credentialIDMismatch }
        guard allowedIDs.isEmpty || allowedIDs.contains(credential.id) else { throw .credentialNotAllowed }
        try checkUserHandle(response.userHandle, credential, isAccountKnown: !allowedIDs.isEmpty)
        let clientData = try ClientData(response.clientData)
        try clientData.check(.get, challenge: challenge, relyingParty: self)
        let data = try AuthenticatorData(response.authenticatorData)
        try data.check(
            relyingParty: self, requiresUserPresence: true, requiresUserVerification: requiresUserVerification)
        guard data.attestedCredential == nil else { throw .attestedCredentialUnexpected }
        guard BackupRule.allows(data.flags, after: credential) else { throw .backupEligibilityChanged }
        let key = try COSEKey(parsing: credential.publicKey)
        guard key.verify(response.signature, of: data.bytes + clientData.hash) else { throw .signatureInvalid }
        guard Self.isCounterValid(data.signCount, after: credential.signCount) else { throw .counterWentBack }
        return Assertion(
            credentialID: credential.id, signCount: data.signCount,
            isUserVerified: data.flags.contains(.userVerified),
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp))
    }

    private func checkUserHandle(
        _ presented: [UInt8]?, _ credential: StoredCredential, isAccountKnown: Bool
    ) throws(WebAuthnError) {
        guard let presented else {
            guard isAccountKnown else { throw .userHandleMissing }
            return
        }
        guard ConstantTime.equal(presented, credential.userHandle) else { throw .userHandleMismatch }
    }

    /// Authenticators with a counter never repeat a number; those without always send zero.
    private static func isCounterValid(_ count: UInt32, after stored: UInt32) -> Bool {
        count > stored || (count == 0 && stored == 0)
    }
}
