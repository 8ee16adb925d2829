import Cryptography

/// Authenticator data before its encoding; each field may be invalid.
package struct AuthenticatorDataDraft: Sendable {
    package struct AttestedCredential: Sendable {
        package var aaguid: [UInt8]
        package var id: [UInt8]
        /// `nil` for the true length of the id.
        package var idLength: UInt16?
        package var key: [(CBORItem, CBORItem)]

        package init(aaguid: [UInt8], id: [UInt8], key: [(CBORItem, CBORItem)]) {
            self.aaguid = aaguid
            self.id = id
            self.key = key
        }
    }

    package enum Flag {
        package static let userPresent: UInt8 = 0x01
        package static let userVerified: UInt8 = 0x04
        package static let backupEligible: UInt8 = 0x08
        package static let backedUp: UInt8 = 0x10
        package static let attestedCredential: UInt8 = 0x40
        package static let extensions: UInt8 = 0x80
    }

    package var relyingPartyHash: [UInt8]
    package var flags: UInt8
    package var signCount: UInt32
    package var attestedCredential: AttestedCredential?
    package var extensions: CBORItem?
    package var trailing: [UInt8] = []

    package init(relyingPartyID: String, flags: UInt8, signCount: UInt32) {
        relyingPartyHash = SHA256.hash(relyingPartyID)
        self.flags = flags
        self.signCount = signCount
    }

    package var encoded: [UInt8] {
        relyingPartyHash + [flags] + CBORItem.bigEndian(UInt64(signCount), 4) + (attestedCredential?.encoded ?? [])
            + (extensions?.encoded ?? []) + trailing
    }
}

extension AuthenticatorDataDraft.AttestedCredential {
    package var encoded: [UInt8] {
        aaguid + CBORItem.bigEndian(UInt64(idLength ?? UInt16(id.count)), 2) + id + CBORItem.map(key).encoded
    }
}
