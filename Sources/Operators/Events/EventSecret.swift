import Cryptography
import Foundation
import JSON
import Vocabulary

/// The shared secret of an endpoint, for Standard Webhooks signatures: `whsec_` and 32 bytes in base64.
struct EventSecret: Sendable {
    private let bytes: Secret

    /// A new one.
    init() { bytes = Secret(RandomBytes.system(32)) }

    /// Opens a column of an endpoint; nil for another endpoint's.
    init?(sealed: [UInt8], for endpoint: UUID, _ box: SealedBox) {
        guard let plain = try? box.open(sealed, purpose: Self.purpose(endpoint)) else { return nil }
        bytes = Secret(plain)
    }

    func sealed(for endpoint: UUID, _ box: SealedBox) -> [UInt8] {
        box.seal(bytes.revealed, purpose: Self.purpose(endpoint))
    }

    /// For showing it once.
    var revealedText: String { SecretPrefix.webhookSecret.rawValue + Data(bytes.revealed).base64EncodedString() }

    /// `v1,…` over id, time and body.
    func signature(id: String, time: String, body: [UInt8]) -> String {
        let signed = Array("\(id).\(time).".utf8) + body
        return "v1," + Data(HMACSHA256.code(signed, key: bytes.revealed)).base64EncodedString()
    }

    private static func purpose(_ endpoint: UUID) -> String { "event endpoint \(endpoint.text)" }
}
