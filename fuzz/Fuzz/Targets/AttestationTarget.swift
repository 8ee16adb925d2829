import Cryptography

@testable import WebAuthn

/// Authenticator data is read to its last byte, and the key in it is the one that is stored.
enum AttestationTarget {
    static func read(_ input: [UInt8]) {
        if let object = try? AttestationObject(input) {
            check(object.authenticatorData)
            verify(object)
        }
        if let data = try? AuthenticatorData(input) {
            hold(data.bytes == input, "authenticator data is kept as it came")
            check(data)
        }
    }

    private static func check(_ data: AuthenticatorData) {
        hold(data.bytes.starts(with: data.relyingPartyHash), "the hash comes first")
        hold(data.bytes[32] == data.flags.rawValue, "the flags follow it")
        hold((data.attestedCredential != nil) == data.flags.contains(.attestedCredential), "the flag announces the key")
        guard let credential = data.attestedCredential else {
            hold(data.bytes.count == 37 || data.flags.contains(.extensions), "nothing is left over")
            return
        }
        let place = 37 + 16 + 2 + credential.id.count
        hold(data.bytes[place...].starts(with: credential.encodedKey), "the key follows the id")
        let key = try? COSEKey(parsing: credential.encodedKey)
        hold(key?.algorithm == credential.key.algorithm, "a stored key is read again")
        hold((1...AttestedCredential.longestID).contains(credential.id.count), "an id has 1 to 1023 bytes")
    }

    /// A statement of a maker is never trusted without a root.
    private static func verify(_ object: AttestationObject) {
        guard object.format == "packed", let credential = object.authenticatorData.attestedCredential,
            let statement = try? PackedStatement(object.statement)
        else { return }
        let message = object.authenticatorData.bytes + SHA256.hash("client data")
        let trust = try? statement.verify(over: message, credential: credential, roots: [], at: Fixture.now)
        hold(trust != .certified(rootKnown: true), "no root is known")
    }
}
