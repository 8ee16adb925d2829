import Cryptography
import Foundation
import JSON
import WebAuthn

/// A newly registered passkey.
struct NewPasskey: Sendable, Equatable {
    let id: UUID
    var name: String?
    let made: RegisteredCredential

    init(id: UUID, _ made: RegisteredCredential) { (self.id, self.made) = (id, made) }

    var json: JSON {
        [
            "id": .string(id.text), "name": name.map(JSON.string) ?? .null,
            "credential": .string(Hex.encode(made.id)), "public_key": .string(Hex.encode(made.publicKey)),
            "algorithm": .integer(made.algorithm.rawValue), "counter": .integer(Int(made.signCount)),
            "transports": .array(made.transports.map(JSON.string)), "aaguid": .string(Hex.encode(made.aaguid)),
            "backup_eligible": .bool(made.isBackupEligible), "backed_up": .bool(made.isBackedUp),
            "attestation": .string("\(made.attestationFormat), \(Self.words(made.attestationTrust))"),
        ]
    }

    private static func words(_ trust: AttestationTrust) -> String {
        switch trust {
        case .unattested: "unknown"
        case .selfSigned: "self"
        case .certified(let isRootKnown): isRootKnown ? "certified" : "certified by an unknown root"
        }
    }
}
