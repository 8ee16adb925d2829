package import Cryptography
package import Foundation
package import Vocabulary

/// A nonce that an app passes to a provider.
///
/// It is self-describing, so that issuing one needs no row, and a flood of requests stores nothing. The statement that
/// makes the session spends it with a row.
///
/// Form: base64url of 16 random bytes, the expiry (4 bytes, seconds) and 16 bytes of a MAC over both.
package struct ServerNonces: Sendable {
    /// The lifetime of a nonce, in seconds.
    package static let life = 600

    private let mac: ShortMAC

    package init(keys: MasterKeys) {
        mac = ShortMAC(keys, "server nonce")
    }

    package func issue(at now: Date) -> String {
        let expiry = UInt32(now.timeIntervalSince1970) + UInt32(Self.life)
        var body = RandomBytes.system(16)
        expiry.appendBigEndian(to: &body)
        return Base64URL.encode(mac.sealed(body))
    }

    /// Whether a server of ours issued it, however long ago.
    package func isOurs(_ nonce: String) -> Bool {
        do throws(Rejection) {
            _ = try spending(nonce, at: .distantPast)
            return true
        } catch {
            return false
        }
    }

    /// The ledger entry that spends it: its digest, and the time until which the ledger keeps it.
    package func spending(_ nonce: String, at now: Date) throws(Rejection) -> (digest: [UInt8], until: Date) {
        guard let bytes = Base64URL.decode(nonce), bytes.count == 36 else { throw .nonceUnknown }
        let body = Array(bytes[..<20])
        guard mac.holds(Array(bytes[20...]), for: body) else { throw .nonceUnknown }
        let expiry = Date(timeIntervalSince1970: TimeInterval(UInt32(bigEndianBytes: body[16...])))
        guard expiry > now else { throw .nonceExpired }
        return (SHA256.hash(Array("nonce ".utf8) + bytes), expiry)
    }
}

extension UInt32 {
    func appendBigEndian(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    init(bigEndianBytes bytes: some Sequence<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
