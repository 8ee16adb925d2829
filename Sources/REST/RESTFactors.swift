import Accounts
import Foundation
import JSON
import SignIn
import Telemetry

/// Factors as the API's JSON, without their secrets.
enum RESTFactors {
    /// - Parameter removalDue: the time of an operator's pending removal of all factors.
    static func json(_ factors: AccountFactors, removalDue: Date?) -> JSON {
        [
            "second_factor": .bool(factors.isProtected),
            "factors": .array(factors.factors.map(json) + factors.passkeys.map(json)),
            "recovery_codes_left": .integer(factors.recoveryCodes), "removal_due_at": removalDue.map(time) ?? .null,
        ]
    }

    /// One factor of the account.
    static func json(_ factors: AccountFactors, _ id: UUID) -> JSON {
        factors.factors.first { $0.id == id }.map(json) ?? factors.passkeys.first { $0.id == id }.map(json) ?? .null
    }

    static func json(_ factor: AccountFactors.Factor) -> JSON {
        [
            "id": .string(factor.id.text), "type": .string(factor.kind.rawValue), "name": text(factor.name),
            "address": text(factor.address), "preferred": .bool(factor.isPreferred), "added_at": time(factor.addedAt),
            "last_used_at": factor.usedAt.map(time) ?? .null,
        ]
    }

    static func json(_ passkey: AccountFactors.Passkey) -> JSON {
        [
            "id": .string(passkey.id.text), "type": "passkey", "name": text(passkey.name),
            "backed_up": .bool(passkey.isBackedUp), "preferred": .bool(passkey.isPreferred),
            "added_at": time(passkey.addedAt), "last_used_at": passkey.usedAt.map(time) ?? .null,
        ]
    }

    static func json(_ device: FactorService.RememberedDevice) -> JSON {
        [
            "id": .string(device.id.text), "name": text(device.name), "added_at": time(device.addedAt),
            "last_used_at": device.usedAt.map(time) ?? .null, "expires_at": time(device.expiresAt),
        ]
    }

    private static func text(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    private static func time(_ date: Date) -> JSON { .string(RFC3339.text(date)) }
}
