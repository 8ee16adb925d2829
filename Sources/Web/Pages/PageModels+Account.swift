import Pages

/// `GET /account…`: one section of the user's own account.
struct AccountPage: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case profile(Profile)
        case signInMethods(SignInMethods)
        case twoStep(TwoStep)
        case devices(Devices)
        case activity(Activity)
        case data
    }

    let name: String?
    let email: String?
    let content: Content
    let links: [SectionLink]
    /// The way back to the app; nil without a `home_url` in its brand.
    let app: AppLink?
    /// When the account is deleted, as RFC 3339; nil without a pending deletion.
    let deletionDue: String?
    /// When an operator's removal of the second factors happens, as RFC 3339; nil without one.
    let removalDue: String?
    /// For every form of the page.
    let hidden: [HiddenField]
    /// The completed action (`linked`, `unlinked`, …): the message `account.done.<it>`.
    let done: String?
    let problem: PageProblem?

    var section: AccountSection {
        switch content {
        case .profile: .profile
        case .signInMethods: .signInMethods
        case .twoStep: .twoStep
        case .devices: .devices
        case .activity: .activity
        case .data: .data
        }
    }
}

extension AccountPage {
    /// An entry of the navigation.
    struct SectionLink: Sendable, Hashable {
        let section: AccountSection
        /// With the language of the page.
        let address: String
    }

    struct AppLink: Sendable, Hashable {
        let name: String
        let address: String
    }

    /// The name, the addresses and numbers.
    struct Profile: Sendable, Hashable {
        let accountID: String
        let addresses: [Address]
        /// Whether text messages are available.
        let canAddPhone: Bool
    }

    /// A mailbox or number of the account.
    struct Address: Sendable, Hashable {
        enum Kind: String, Sendable {
            case email, phone
        }

        let kind: Kind
        let text: String
        let isProved: Bool
        /// The main one.
        let isMain: Bool
        /// Forwards mail; not usable for sign-in.
        let isRelay: Bool
        /// Its newest message bounced.
        let isUndeliverable: Bool
    }

    /// The passkeys, the password, the identities and the merges that can be undone.
    struct SignInMethods: Sendable, Hashable {
        let passkeys: [Factor]
        let canAddPasskey: Bool
        /// Whether one of several second factors, passkeys included, is the default.
        let choosesDefault: Bool
        let hasPassword: Bool
        let minimumPasswordLength: Int
        let identities: [Identity]
        /// Providers to connect; links that only this browser can follow.
        let linkable: [ProviderButton]
        let merges: [Merge]
    }

    struct Identity: Sendable, Hashable {
        let id: String
        let provider: String
        let providerName: String
        /// The address reported by the provider, if any.
        let email: String?
        /// RFC 3339; shown as a date.
        let linkedAt: String
        /// Whether it was linked without a question, because both sides had proved the address.
        var isAutomatic = false
    }

    /// Two merged accounts, for undo.
    struct Merge: Sendable, Hashable {
        let id: String
        /// RFC 3339; shown as a date.
        let madeAt: String
        /// RFC 3339; shown as a date.
        let until: String
    }
}
