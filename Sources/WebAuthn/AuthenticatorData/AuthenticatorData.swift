import Cryptography

/// The authenticator's report (WebAuthn §6.1).
struct AuthenticatorData: Sendable {
    private static let longest = 16 * 1024
    private static let hashLength = 32

    let bytes: [UInt8]
    let relyingPartyHash: [UInt8]
    let flags: AuthenticatorFlags
    let signCount: UInt32
    let attestedCredential: AttestedCredential?

    /// Reads all of it: extra bytes are refused like missing ones.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        var rest = bytes[...]
        guard bytes.count <= Self.longest, let hash = rest.take(Self.hashLength), let flags = rest.take(1)?.first,
            let count = rest.take(4)
        else { throw .authenticatorDataMalformed }
        self.bytes = bytes
        relyingPartyHash = hash
        self.flags = AuthenticatorFlags(rawValue: flags)
        signCount = count.reduce(0) { $0 << 8 | UInt32($1) }
        var position = rest.startIndex
        attestedCredential =
            self.flags.contains(.attestedCredential) ? try AttestedCredential(bytes, at: &position) : nil
        if self.flags.contains(.extensions) { try Self.skipExtensions(bytes, at: &position) }
        guard position == bytes.count else { throw .authenticatorDataMalformed }
    }

    /// None is requested, and unrequested ones are ignored (WebAuthn §9) if they are a map by names.
    private static func skipExtensions(_ bytes: [UInt8], at position: inout Int) throws(WebAuthnError) {
        var reader = CBORReader(bytes, at: position)
        do throws(CBORError) {
            guard let entries = try reader.value().map, entries.allSatisfy({ $0.key.text != nil }) else {
                throw reader.failure(.unsuitableKey)
            }
        } catch {
            throw .authenticatorDataMalformed
        }
        position = reader.position
    }

    /// The common steps of registration and authentication, in the order of WebAuthn §7.1 and §7.2.
    func check(
        relyingParty: RelyingParty, requiresUserPresence: Bool, requiresUserVerification: Bool
    ) throws(WebAuthnError) {
        guard ConstantTime.equal(relyingPartyHash, SHA256.hash(relyingParty.id)) else { throw .relyingPartyMismatch }
        if requiresUserPresence, !flags.contains(.userPresent) { throw .userNotPresent }
        if requiresUserVerification, !flags.contains(.userVerified) { throw .userNotVerified }
        if flags.contains(.backedUp), !flags.contains(.backupEligible) { throw .backupStateInvalid }
    }
}
