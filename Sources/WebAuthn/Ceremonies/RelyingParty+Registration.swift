import Cryptography
package import FoundationEssentials

extension RelyingParty {
    /// Follows WebAuthn §7.1, except for the step that needs a database: the credential id must be new.
    ///
    /// `isConditional`: the client was asked to create the credential silently, after a password sign-in, so user
    /// presence is not required. The time is only for the attestation's certificates.
    package func verifyRegistration(
        _ response: RegistrationResponse, challenge: Challenge, requiresUserVerification: Bool,
        isConditional: Bool = false, at now: Date
    ) throws(WebAuthnError) -> RegisteredCredential {
        let clientData = try ClientData(response.clientData)
        try clientData.check(.create, challenge: challenge, relyingParty: self)
        let attestation = try AttestationObject(response.attestationObject)
        let data = attestation.authenticatorData
        try data.check(
            relyingParty: self, requiresUserPresence: !isConditional,
            requiresUserVerification: requiresUserVerification)
        guard let credential = data.attestedCredential else { throw .attestedCredentialMissing }
        guard credential.id == response.credentialID else { throw .credentialIDMismatch }
        let trust = try trust(in: attestation, credential, clientDataHash: clientData.hash, at: now)
        return RegisteredCredential(
            id: credential.id, publicKey: credential.encodedKey, algorithm: credential.key.algorithm,
            signCount: data.signCount, aaguid: credential.model, transports: response.transports,
            isUserVerified: data.flags.contains(.userVerified),
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            attestationFormat: attestation.format, attestationTrust: trust)
    }

    private func trust(
        in attestation: AttestationObject, _ credential: AttestedCredential, clientDataHash: [UInt8], at now: Date
    ) throws(WebAuthnError) -> AttestationTrust {
        let trust: AttestationTrust
        switch attestation.format {
        case "none":
            guard attestation.statement.map?.isEmpty ?? false else { throw .attestationStatementMalformed }
            trust = .unattested
        case "packed":
            trust = try PackedStatement(attestation.statement).verify(
                over: attestation.authenticatorData.bytes + clientDataHash, credential: credential,
                roots: attestationRoots, at: now)
        default:
            guard case .none(acceptsUnknownFormats: true) = self.attestation else {
                throw .attestationFormatUnsupported
            }
            trust = .unattested
        }
        if case .direct(_, requiresKnownRoot: true) = self.attestation, trust != .certified(rootKnown: true) {
            throw .attestationUntrusted
        }
        return trust
    }

    private var attestationRoots: [Certificate] {
        switch attestation {
        case .none: []
        case .direct(let roots, _): roots
        }
    }
}
