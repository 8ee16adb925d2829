import Cryptography
package import Foundation
package import JSON
package import Sessions
package import Vocabulary

/// The facts about an account that decide its next step (`steps/account_factors.sql`).
package struct AccountFactors: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case totp, sms, email
    }

    /// A confirmed second factor.
    package struct Factor: Sendable, Equatable {
        package let id: UUID
        package let kind: Kind
        package let name: String?
        /// The destination of codes, as the user wrote it.
        package let address: String?
        package let addressKey: String?
        /// A TOTP secret, sealed.
        package let sealed: [UInt8]
        /// The time step of the last used code.
        package let counter: Int?
        package let isPreferred: Bool
        package let addedAt: Date
        package let usedAt: Date?

        /// The proof that this factor yields.
        package var proof: Proof {
            switch kind {
            case .totp: Proof(.totp)
            case .sms: Proof(.smsCode, address: addressKey)
            case .email: Proof(.emailCode, address: addressKey)
            }
        }
    }

    package struct Passkey: Sendable, Equatable {
        package let id: UUID
        package let credential: [UInt8]
        package let publicKey: [UInt8]
        package let userHandle: [UInt8]
        package let counter: Int
        package let transports: [String]
        package let isBackupEligible: Bool
        package let isBackedUp: Bool
        package let name: String?
        package let isPreferred: Bool
        package let addedAt: Date
        package let usedAt: Date?

        /// The credential id, in Base64URL.
        package var credentialID: String { Base64URL.encode(credential) }
    }

    package enum PasswordState: String, Sendable {
        case usable
        /// Set by an operator: valid for one sign-in and some days, in which the user must choose a new password.
        case temporary
        /// No password works until the account holder resets it.
        case resetRequired = "reset_required"
    }

    /// The account has a second factor.
    package var isProtected = false
    /// An operator demands a second factor.
    package var isDemanded = false
    package var passwordState = PasswordState.usable
    package var hasPassword = false
    package var passwordSetAt: Date?
    /// The address that received the code for setting the password, in the form of ``Proof/thing``.
    package var passwordSetThrough: String?
    /// Hashes of passwords that an operator replaced since the user last chose one.
    package var formerHashes: [String] = []
    package var displayName: String?
    package var userName: String?
    /// Proved e-mail addresses, the main one first.
    package var emails: [EmailAddress] = []
    /// Proved phone numbers in E.164 form, the main one first.
    package var phones: [String] = []
    package var factors: [Factor] = []
    package var passkeys: [Passkey] = []
    package var recoveryCodes = 0
    /// Digests of the marks of known devices.
    package var knownDevices: Set<String> = []
    /// Digests of the marks of remembered devices.
    package var remembered: Set<String> = []
    /// Digests of the devices that prove themselves by a secret.
    package var confirmedDevices: Set<String> = []

    /// An account with no factors.
    package init() {}
}

extension AccountFactors {
    package init?(_ json: JSON) {
        guard let isProtected = json["mfa"]?.bool, let isDemanded = json["demanded"]?.bool,
            let state = json["password_state"]?.string.flatMap(PasswordState.init(rawValue:))
        else { return nil }
        (self.isProtected, self.isDemanded) = (isProtected, isDemanded)
        (passwordState, hasPassword) = (state, json["has_password"]?.bool ?? false)
        passwordSetThrough = json["password_set_through"]?.string
        passwordSetAt = json.date("password_set_at")
        formerHashes = json.list("former_hashes") { $0.string }
        (displayName, userName) = (json["display_name"]?.string, json["user_name"]?.string)
        emails = json.list("emails") { $0["address"]?.string.flatMap(EmailAddress.init) }
        phones = json.list("phones") { $0.string }
        factors = json.list("factors", Factor.init)
        passkeys = json.list("passkeys", Passkey.init)
        recoveryCodes = json["recovery_codes"]?.integer ?? 0
        knownDevices = Set(json.list("known_devices") { $0.string })
        remembered = Set(json.list("remembered") { $0.string })
        confirmedDevices = Set(json.list("confirmed_devices") { $0.string })
    }
}

extension AccountFactors.Factor {
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string.flatMap(UUID.init(text:)),
            let kind = json["kind"]?.string.flatMap(AccountFactors.Kind.init(rawValue:))
        else { return nil }
        (self.id, self.kind, name) = (id, kind, json["name"]?.string)
        (address, addressKey) = (json["address"]?.string, json["key"]?.string)
        (sealed, counter) = (json.bytes("sealed") ?? [], json["counter"]?.integer)
        isPreferred = json["preferred"]?.bool ?? false
        (addedAt, usedAt) = (json.date("added_at") ?? .distantPast, json.date("used_at"))
    }
}

extension AccountFactors.Passkey {
    package init?(_ json: JSON) {
        guard let id = json["id"]?.string.flatMap(UUID.init(text:)), let credential = json.bytes("credential"),
            let publicKey = json.bytes("public_key"), let userHandle = json.bytes("user_handle"),
            let counter = json["counter"]?.integer,
            let isBackupEligible = json["backup_eligible"]?.bool, let isBackedUp = json["backed_up"]?.bool
        else { return nil }
        (self.id, self.credential, self.publicKey, self.counter) = (id, credential, publicKey, counter)
        self.userHandle = userHandle
        (self.isBackupEligible, self.isBackedUp) = (isBackupEligible, isBackedUp)
        transports = json.list("transports") { $0.string }
        (name, isPreferred) = (json["name"]?.string, json["preferred"]?.bool ?? false)
        (addedAt, usedAt) = (json.date("added_at") ?? .distantPast, json.date("used_at"))
    }
}

extension JSON {
    fileprivate func list<Value>(_ name: String, _ read: (JSON) -> Value?) -> [Value] {
        (self[name]?.array ?? []).compactMap(read)
    }

    /// Decodes Base64 with line breaks, as PostgreSQL writes it.
    fileprivate func bytes(_ name: String) -> [UInt8]? {
        self[name]?.string.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }.map(Array.init)
    }

    fileprivate func date(_ name: String) -> Date? { self[name]?.double.map(Date.init(timeIntervalSince1970:)) }
}
