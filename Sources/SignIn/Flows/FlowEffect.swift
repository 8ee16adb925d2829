import Accounts
import Cryptography
import Foundation
import JSON

/// What a right answer changes (`steps/apply_flow_effect.sql`).
enum FlowEffect: Sendable, Equatable {
    case usedTOTP(factor: UUID, step: Int)
    case usedFactor(UUID)
    /// The code's digest under each master key. The database has one of them, under the key of that time.
    case usedRecoveryCode(digests: [[UInt8]])
    case rehash(old: String, new: PasswordVerifiers)
    /// With the digests of new recovery codes; nil keeps the present ones.
    case addFactor(NewFactor, recoveryCodes: [[UInt8]]?)
    case addPasskey(NewPasskey)
    /// `becomesBackupEligible`: its key may be copied from now on, which the audit log keeps.
    case usedPasskey(UUID, counter: Int, isBackedUp: Bool, becomesBackupEligible: Bool)
    /// `through`: what the password depends on, as ``Proof/thing`` names it; `isCoded`: the user read a code there.
    case setPassword(PasswordVerifiers, reason: String, through: String?, isCoded: Bool)
    case rememberDevice(id: UUID, digest: [UInt8], name: String?, life: Int)
    /// The device with this mark replaces the second factor; refused if the device is no longer remembered.
    case usedRememberedDevice(digest: [UInt8])

    var json: JSON {
        switch self {
        case .usedTOTP(let factor, let step):
            ["kind": "totp_used", "factor": .string(factor.text), "counter": .integer(step)]
        case .usedFactor(let factor): ["kind": "factor_used", "factor": .string(factor.text)]
        case .usedRecoveryCode(let digests): ["kind": "recovery_code", "digests": .hex(digests)]
        case .rehash(let old, let new): JSONObject.with(new, ["kind": "rehash", "old": .string(old)])
        case .addFactor(let factor, let codes):
            ["kind": "add_factor", "factor": factor.json, "recovery_codes": codes.map(JSON.hex) ?? .null]
        case .addPasskey(let passkey): ["kind": "add_passkey", "passkey": passkey.json]
        case .usedPasskey(let passkey, let counter, let isBackedUp, let becomesBackupEligible):
            [
                "kind": "passkey_used", "passkey": .string(passkey.text), "counter": .integer(counter),
                "backed_up": .bool(isBackedUp), "becomes_backup_eligible": .bool(becomesBackupEligible),
            ]
        case .setPassword(let verifiers, let reason, let through, let isCoded):
            JSONObject.with(
                verifiers,
                [
                    "kind": "password", "reason": .string(reason), "through": through.map(JSON.string) ?? .null,
                    "coded": .bool(isCoded),
                ])
        case .usedRememberedDevice(let digest):
            ["kind": "remembered_device", "digest": .string(Hex.encode(digest))]
        case .rememberDevice(let id, let digest, let name, let life):
            [
                "kind": "remember_device", "id": .string(id.text), "digest": .string(Hex.encode(digest)),
                "name": name.map(JSON.string) ?? .null, "seconds": .integer(life),
            ]
        }
    }
}

/// A second factor that was just proved for the first time.
struct NewFactor: Sendable, Equatable {
    let id: UUID
    let kind: AccountFactors.Kind
    var name: String?
    var address: String?
    var addressKey: String?
    /// A TOTP secret, sealed, and the time step that proved it.
    var sealed: [UInt8]?
    var counter: Int?

    var json: JSON {
        var object: JSONObject = ["id": .string(id.text), "kind": .string(kind.rawValue)]
        object["name"] = name.map(JSON.string)
        object["address"] = address.map(JSON.string)
        object["address_key"] = addressKey.map(JSON.string)
        object["sealed"] = sealed.map { .string(Data($0).base64EncodedString()) }
        object["counter"] = counter.map(JSON.integer)
        return .object(object)
    }
}

extension JSONObject {
    /// An object with the members of `password_verifiers`, too.
    fileprivate static func with(_ verifiers: PasswordVerifiers, _ members: JSONObject) -> JSON {
        var object = members
        for member in verifiers.json.object?.members ?? [] { object[member.name] = member.value }
        return .object(object)
    }
}

extension JSON {
    fileprivate static func hex(_ digests: [[UInt8]]) -> JSON { .array(digests.map { .string(Hex.encode($0)) }) }
}
