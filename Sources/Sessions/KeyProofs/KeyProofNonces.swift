import Cryptography
import Foundation

/// The nonces of DPoP proofs (RFC 9449 §8): a slice of time and its code, so that no server stores any.
struct KeyProofNonces: Sendable {
    /// In seconds.
    private static let slice = 60.0
    /// The present slice and two past ones.
    private static let accepted: ClosedRange<UInt32> = 0...2

    private let mac: ShortMAC

    init(keys: MasterKeys) { mac = ShortMAC(keys, "key proof nonce") }

    func nonce(at now: Date) -> String { Base64URL.encode(mac.sealed(Self.bytes(Self.number(now)))) }

    func accepts(_ nonce: String, at now: Date) -> Bool {
        guard let bytes = Base64URL.decode(nonce), bytes.count == 4 + ShortMAC.length else { return false }
        let body = Array(bytes[..<4])
        return mac.holds(Array(bytes[4...]), for: body)
            && Self.accepted.contains(Self.number(now) &- UInt32(bigEndianBytes: body))
    }

    private static func number(_ now: Date) -> UInt32 { UInt32(now.timeIntervalSince1970 / slice) }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        number.appendBigEndian(to: &bytes)
        return bytes
    }
}
