import Cryptography
import Foundation
import JSON

/// The verifier of a device's secret, with the names that SRP binds it to.
package struct DeviceSecret: Sendable {
    let realm: String
    let name: String
    let verifier: SRPVerifier

    private static let longest = 384

    /// - Parameters:
    ///   - realm: the namespace of the names.
    ///   - name: the device's name in the protocol.
    ///   - salt: big-endian.
    ///   - verifier: big-endian, of the 3072-bit group.
    /// - Returns: nil for a salt or verifier that is empty or too long.
    package init?(realm: String, name: String, salt: [UInt8], verifier: [UInt8]) {
        // A first zero byte keeps the number positive.
        guard (1...64).contains(salt.count), (1...(Self.longest + 1)).contains(verifier.count),
            verifier.contains(where: { $0 != 0 }),
            SRPServer.accepts(clientValue: Hex.encode(Array(verifier.drop { $0 == 0 })))
        else { return nil }
        (self.realm, self.name) = (realm, name)
        self.verifier = SRPVerifier(salt: salt, value: Secret(verifier))
    }

    /// The digest by which the device is found.
    static func digest(of name: String) -> [UInt8] { SHA256.hash(Array("device\u{0}\(name)".utf8)) }

    func sealed(_ box: SealedBox, _ account: UUID) -> SealedDeviceSecret {
        SealedDeviceSecret(
            realm: realm, name: name, salt: verifier.saltBytes,
            sealed: box.seal(verifier.bytes, purpose: SealedDeviceSecret.purpose(account, name)))
    }
}

/// A device's secret as it is stored.
struct SealedDeviceSecret: Sendable {
    let realm: String
    let name: String
    let salt: [UInt8]
    let sealed: [UInt8]

    /// - Throws: ``SealedBoxError`` if its master key is missing.
    func opened(_ box: SealedBox, _ account: UUID) throws(SealedBoxError) -> SRPVerifier {
        SRPVerifier(salt: salt, value: Secret(try box.open(sealed, purpose: Self.purpose(account, name))))
    }

    static func purpose(_ account: UUID, _ name: String) -> String { "device secret \(account.text) \(name)" }
}
