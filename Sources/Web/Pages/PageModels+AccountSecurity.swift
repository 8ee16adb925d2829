import Accounts
import Clients

extension AccountPage {
    /// The second factors of the account, without its passkeys, which are sign-in methods too.
    struct TwoStep: Sendable, Hashable {
        let factors: [Factor]
        /// Whether one of several factors, passkeys included, is the default.
        let choosesDefault: Bool
        /// Whether text messages are available.
        let canAddPhone: Bool
        /// Nil without a second factor that they could replace.
        let recoveryCodesLeft: String?
    }

    /// A second factor, or a passkey.
    struct Factor: Sendable, Hashable {
        let id: String
        /// A ``ChoiceKind``.
        let kind: String
        /// The name that the user gave it, or the destination of codes.
        let detail: String?
        /// RFC 3339.
        let addedAt: String
        let isPreferred: Bool
    }

    /// The sessions, and the devices that need no second factor for a while.
    struct Devices: Sendable, Hashable {
        /// The current one first.
        let sessions: [Device]
        let remembered: [RememberedDevice]
        var apps: [GrantedApp] = []
    }

    /// A session of the account.
    struct Device: Sendable, Hashable {
        let id: String
        /// "Chrome on Windows", or the app's own name for it.
        let name: String
        let clientName: String
        let address: String?
        /// A ``ChoiceKind``, or the id of a provider.
        let method: String
        /// The display name of a provider; the text of the method after masking.
        let methodName: String
        /// The dialect of its tokens.
        let dialect: TokenDialect
        /// RFC 3339.
        let signedInAt: String
        /// RFC 3339.
        let lastUsedAt: String
        let isCurrent: Bool
    }

    /// Another maker's app with access to the account.
    struct GrantedApp: Sendable, Hashable {
        let id: String
        let name: String
        /// RFC 3339; shown as a date.
        let grantedAt: String
        /// RFC 3339; nil if it never used its access, or long ago.
        let lastUsedAt: String?
    }

    /// A remembered device.
    struct RememberedDevice: Sendable, Hashable {
        let id: String
        let name: String?
        /// RFC 3339.
        let expiresAt: String
    }

    /// A page of the account's history.
    struct Activity: Sendable, Hashable {
        /// Newest first.
        let events: [Event]
        /// The next page; nil at the end.
        let olderAddress: String?
    }

    /// An event of the account.
    struct Event: Sendable, Hashable {
        /// A passkey is a sign-in method of its own, so its events have their own messages `account.event.<it>`.
        static let ofPasskey: [AccountEvent.Kind: String] = [
            .factorAdded: "passkey_added", .factorRemoved: "passkey_removed",
        ]

        /// The message `account.event.<it>`; its text after masking.
        let what: String
        /// The message `account.by_<it>`, and its text; nil for the user.
        let author: String?
        /// The affected kind of factor, or those of a sign-in: the messages `choice.<it>`.
        let choices: [String]
        /// The affected provider, by name; with the texts of the choices after masking.
        let means: String?
        /// The device and its network address.
        let place: String?
        /// RFC 3339.
        let at: String
    }
}
