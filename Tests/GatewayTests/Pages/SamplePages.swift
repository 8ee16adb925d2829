import Clients

@testable import Accounts
@testable import HTTPServer
@testable import Pages
@testable import Web

/// Every page with all its parts, and in its reduced forms.
struct SamplePages {
    /// Replaces a name or a value, given the ordinary one.
    var text: (String) -> String = { $0 }
    /// Replaces an address.
    var address: (String) -> String = { $0 }

    static let providerIDs = ["apple", "google", "microsoft", "amazon", "github", "acme"]

    typealias Named = (name: String, page: any Page)

    var all: [Named] {
        let steps = StepPage.Kind.allCases.map { kind -> Named in ("step-\(kind.rawValue)", step(kind)) }
        let own = account.map { page -> Named in ("account-\(page.section.rawValue)", page) }
        let bare = accountWithLittle.map { page -> Named in ("account-bare-\(page.section.rawValue)", page) }
        return single + steps + own + bare
    }

    private var single: [Named] {
        [
            ("login", login), ("login-problem", loginProblem), ("login-signed-in", loginSignedIn),
            ("login-no-password", loginWithoutPassword), ("login-no-provider", loginWithoutProvider),
            ("password", password), ("password-problem", passwordProblem), ("passkey-offer", passkeyOffer),
            ("sign-up", signUp), ("sign-up-code", signUpWithoutPassword), ("confirm", confirm),
            ("confirm-text", confirmText), ("forgot", forgot),
            ("forgot-no-provider", forgotWithoutProvider),
            ("link", link), ("link-no-password", linkWithoutPassword), ("delete", delete),
            ("delete-at-once", deleteAtOnce), ("merge", merge),
            ("disown", disown), ("disown-bare", disownWithLittle), ("disowned", disowned),
            ("disowned-kept", disownedWithoutPassword),
            ("sign-out", signOut),
            ("merge-little", mergeOfLittle),
            ("bot-check", botCheck), ("repost", repost), ("notice", notice), ("signed-out", signedOut),
            ("error", ErrorPage(ErrorCatalogue.all[0])), ("errors", ErrorListPage(entries: [])),
            ("recovery-codes", recoveryCodes(onwardAddress: nil)),
            ("recovery-codes-account", recoveryCodes(onwardAddress: address("/account"))),
        ]
    }

    var hidden: [HiddenField] {
        [
            field("csrf", "dGhpcyBpcyBhIHRva2VuIG9mIHRoaXJ0eS10d28gYnl0ZXM"), field("client_id", "shop"),
            field("redirect_uri", "https://shop.example.com/back"), field("state", "af0ifjsldkj"),
            field("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ]
    }

    func providers(_ path: String = "/login/") -> [ProviderButton] {
        zip(Self.providerIDs, ["Apple", "Google", "Microsoft", "Amazon", "GitHub", "Acme Stahlwerke"]).map { id, name in
            ProviderButton(
                id: id == "acme" ? text(id) : id, name: text(name),
                address: address("\(path)\(id)?client_id=shop&state=af0ifjsldkj"))
        }
    }

    private func field(_ name: String, _ value: String) -> HiddenField {
        HiddenField(name: text(name), value: text(value))
    }
}

extension SamplePages {
    var login: LoginPage { login(problem: nil) }
    var loginProblem: LoginPage { login(problem: PageProblem("throttled", ["seconds": text("45")])) }

    var loginSignedIn: LoginPage {
        LoginPage(
            clientName: text("Duck Shop"), nameForm: nameForm, ways: ways(usedLast: "google"), problem: nil,
            signedInAs: LoginPage.SignedInAs(
                name: text("Ann Müller"), continueAddress: address("/login/continue"), hidden: hidden))
    }

    var loginWithoutPassword: LoginPage {
        LoginPage(
            clientName: text("Duck Shop"), nameForm: nil,
            ways: SignInWays(providers(), nil, usedLast: nil),
            problem: PageProblem(text("no such code")), signedInAs: nil)
    }

    var loginWithoutProvider: LoginPage {
        LoginPage(
            clientName: text("Duck Shop"), nameForm: nameWithPassword, ways: .none, problem: nil, signedInAs: nil)
    }

    var password: PasswordPage { password(problem: nil) }
    var passwordProblem: PasswordPage { password(problem: PageProblem("invalid_credentials", about: .password)) }

    private func password(problem: PageProblem?) -> PasswordPage {
        PasswordPage(
            clientName: text("Duck Shop"), hidden: hidden, username: text("ann@example.com"), offersCode: true,
            passkey: passkey, forgotAddress: address("/forgot?client_id=shop"),
            backAddress: address("/login?client_id=shop"), problem: problem)
    }

    var passkeyOffer: PasskeyOfferPage {
        PasskeyOfferPage(
            clientName: text("Duck Shop"), hidden: hidden, options: text(#"{"challenge":"AAAA"}"#),
            problem: PageProblem("passkey_refused"))
    }

    var confirm: ConfirmPage {
        ConfirmPage(
            clientName: text("Duck Shop"), hidden: hidden, destination: text("a•••@e•••.com"), isText: false,
            codeLength: 6, wasResent: true, backAddress: address("/sign-up?client_id=shop"),
            problem: PageProblem("code_wrong", ["left": text("3")]))
    }

    var confirmText: ConfirmPage {
        ConfirmPage(
            clientName: text("Duck Shop"), hidden: hidden, destination: text("+49•••••17"), isText: true,
            codeLength: 6, wasResent: false, backAddress: "/sign-up", problem: nil)
    }

    var forgot: ForgotPage {
        ForgotPage(
            clientName: text("Duck Shop"), ways: SignInWays(providers(), nil, usedLast: nil),
            nameForm: ForgotPage.NameForm(
                hidden: hidden, names: SignInNames([.phone]), username: text("ann@example.com")),
            loginAddress: address("/login"), problem: PageProblem("email_invalid"))
    }

    var forgotWithoutProvider: ForgotPage {
        ForgotPage(
            clientName: text("Duck Shop"), ways: .none, nameForm: nil, loginAddress: address("/login"), problem: nil)
    }

    var link: LinkPage { link(allowsPassword: true) }
    var linkWithoutPassword: LinkPage { link(allowsPassword: false) }
    var repost: RepostPage { RepostPage(action: address("/login/apple/complete"), hidden: hidden) }

    var botCheck: BotCheckPage {
        BotCheckPage(
            clientName: text("Duck Shop"), action: address("/login"), hidden: hidden,
            backAddress: address("/login?client_id=shop"), problem: PageProblem("bot_check_failed"))
    }

    var notice: NoticePage {
        NoticePage(
            code: "provider_unavailable", arguments: ["provider": text("Microsoft")], requestID: text("0123456789abc"),
            actions: [
                NoticePage.Action(key: "try_again", address: address("/login/microsoft"), isMain: true),
                NoticePage.Action(key: "sign_in_another_way", address: address("/login"), isMain: false),
                NoticePage.Action(key: text("no such way"), address: address("/"), isMain: false),
            ], detail: text("The client has not registered https://shop.example/back."))
    }

    var signedOut: NoticePage { NoticePage(code: "signed_out", arguments: [:], requestID: nil, actions: []) }

    private var nameForm: LoginPage.NameForm { nameForm(asksForPassword: false) }
    private var nameWithPassword: LoginPage.NameForm { nameForm(asksForPassword: true) }

    private func ways(usedLast: String?) -> SignInWays {
        SignInWays(providers(), passkey, usedLast: usedLast)
    }

    private var passkey: PasskeyOffer {
        PasskeyOffer(hidden: hidden, options: text(#"{"challenge":"AAAA"}"#), isSuggested: true)
    }

    private func nameForm(asksForPassword: Bool) -> LoginPage.NameForm {
        LoginPage.NameForm(
            hidden: hidden, names: SignInNames([.email]), username: text("ann@example.com"),
            asksForPassword: asksForPassword,
            signUpAddress: !asksForPassword ? address("/sign-up?client_id=shop") : nil,
            offersReset: true)
    }

    private func login(problem: PageProblem?) -> LoginPage {
        LoginPage(
            clientName: text("Duck Shop"), nameForm: nameForm, ways: ways(usedLast: nil), problem: problem,
            signedInAs: nil)
    }

    private func link(allowsPassword: Bool) -> LinkPage {
        LinkPage(
            clientName: text("Duck Shop"), providerName: text("Google"), maskedEmail: text("a•••@e•••.com"),
            hidden: hidden, providers: Array(providers().prefix(2)), allowsPassword: allowsPassword,
            offersCode: allowsPassword, names: SignInNames([.email, .username]), username: text("ann@example.com"),
            problem: PageProblem("invalid_credentials"))
    }
}

extension SamplePages {
    /// Every section with all its parts.
    var account: [AccountPage] {
        [
            .profile(profile), .signInMethods(signInMethods), .twoStep(twoStep), .devices(devices), .activity(activity),
            .data,
        ]
        .map { account($0) }
    }

    func account(_ section: AccountSection) -> AccountPage { account.first { $0.section == section } ?? account[0] }

    private func account(_ content: AccountPage.Content) -> AccountPage {
        AccountPage(
            name: text("Ann Müller"), email: text("ann@example.com"), content: content, links: sections,
            app: AccountPage.AppLink(name: text("Duck Shop"), address: address("https://ducks.example.com/")),
            deletionDue: text("2026-12-05T13:14:19Z"), removalDue: nil, hidden: hidden, done: "saved",
            problem: PageProblem("last_credential"))
    }

    /// Every section of a new account.
    var accountWithLittle: [AccountPage] {
        let contents: [AccountPage.Content] = [
            .profile(.init(accountID: text("01a1fe3f"), addresses: [], canAddPhone: false)),
            .signInMethods(
                .init(
                    passkeys: [], canAddPasskey: false, choosesDefault: false, hasPassword: false,
                    minimumPasswordLength: 8, identities: [identity("apple", "Apple", email: nil)], linkable: [],
                    merges: [])),
            .twoStep(.init(factors: [], choosesDefault: false, canAddPhone: false, recoveryCodesLeft: nil)),
            .devices(.init(sessions: [device("01a1fe3f-0001", "Safari", isCurrent: true)], remembered: [])),
            .activity(.init(events: [], olderAddress: nil)), .data,
        ]
        return contents.map { content in
            AccountPage(
                name: nil, email: nil, content: content, links: sections, app: nil, deletionDue: nil, removalDue: nil,
                hidden: hidden, done: text("no such notice"), problem: nil)
        }
    }

    private var sections: [AccountPage.SectionLink] {
        AccountSection.allCases.map { .init(section: $0, address: address($0.address)) }
    }

    private var profile: AccountPage.Profile {
        .init(
            accountID: text("01a1fe3f-ad60-7aaa-8bbb-0123456789ab"), addresses: addresses, canAddPhone: true)
    }

    private var signInMethods: AccountPage.SignInMethods {
        .init(
            passkeys: [factor("f3", "passkey", detail: "Chrome, macOS")], canAddPasskey: true, choosesDefault: true,
            hasPassword: true, minimumPasswordLength: 8,
            identities: [
                identity("google", "Google", email: "ann@gmail.com"),
                identity(text("acme"), "Rindfleischetikettierungsüberwachungsaufgabengesetz", email: nil),
            ],
            linkable: Array(providers("/account/link/").suffix(4)),
            merges: [
                .init(id: text("01a1fe44"), madeAt: text("2026-11-20T09:00:00Z"), until: text("2026-11-27T09:00:00Z"))
            ])
    }

    private var devices: AccountPage.Devices {
        .init(
            sessions: [
                device("01a1fe3f-0001", "Firefox on Windows", isCurrent: true),
                device("01a1fe3f-0002", "Ann's phone", isCurrent: false),
            ],
            remembered: [
                .init(id: text("d1"), name: text("Firefox"), expiresAt: text("2026-12-21T09:00:00Z")),
                .init(id: text("d2"), name: nil, expiresAt: text("2026-12-21T09:00:00Z")),
            ])
    }

    private var activity: AccountPage.Activity {
        .init(
            events: [
                AccountPage.Event(
                    what: "signed_in", author: nil, choices: ["totp"], means: text("Google"),
                    place: text("Firefox, Linux · 192.0.2.1"),
                    at: text("2026-11-21T13:14:19Z")),
                AccountPage.Event(
                    what: "factor_added", author: "support", choices: ["totp"], means: nil, place: nil,
                    at: text("2026-11-20T09:00:00Z")),
            ], olderAddress: address("/account/activity?cursor=AAAA"))
    }

    private var twoStep: AccountPage.TwoStep {
        .init(
            factors: [
                factor("f1", "totp", detail: nil, isPreferred: true), factor("f2", "email", detail: "a@b.example"),
                factor("f4", text("odd"), detail: "?"),
            ], choosesDefault: true, canAddPhone: true, recoveryCodesLeft: text("9"))
    }

    private var addresses: [AccountPage.Address] {
        [
            address(.email, "ann@example.com", isProved: true, isMain: true),
            address(.email, "lee@example.org", isProved: true),
            address(.email, "ann@old.example", isUndeliverable: true),
            address(.email, "x1@privaterelay.appleid.com", isRelay: true),
            address(.phone, "+4915112345678", isMain: true),
        ]
    }

    private func address(
        _ kind: AccountPage.Address.Kind, _ text: String, isProved: Bool = false, isMain: Bool = false,
        isRelay: Bool = false, isUndeliverable: Bool = false
    ) -> AccountPage.Address {
        .init(
            kind: kind, text: self.text(text), isProved: isProved, isMain: isMain, isRelay: isRelay,
            isUndeliverable: isUndeliverable)
    }

    private func factor(
        _ id: String, _ kind: String, detail: String?, isPreferred: Bool = false
    ) -> AccountPage.Factor {
        AccountPage.Factor(
            id: text(id), kind: kind, detail: detail.map(text), addedAt: text("2026-11-21T13:15:48Z"),
            isPreferred: isPreferred)
    }

    private func identity(_ provider: String, _ name: String, email: String?) -> AccountPage.Identity {
        AccountPage.Identity(
            id: text("id-\(name.prefix(4))"), provider: provider, providerName: text(name), email: email.map(text),
            linkedAt: text("2026-11-21T13:15:48Z"), isAutomatic: email != nil)
    }

    private func device(_ id: String, _ name: String, isCurrent: Bool) -> AccountPage.Device {
        AccountPage.Device(
            id: text(id), name: text(name), clientName: text("Duck Shop"), address: text("2001:db8::17"),
            method: isCurrent ? "google" : "password", methodName: text("Google"),
            dialect: isCurrent ? .gateway : .cognito,
            signedInAt: text("2026-11-18T08:30:00Z"), lastUsedAt: text("2026-11-20T09:00:00Z"), isCurrent: isCurrent)
    }
}

extension SamplePages {
    var delete: DeletePage {
        DeletePage(
            clientName: text("Duck Shop"), who: text("ann@example.com"), days: text("14"), hidden: hidden,
            problem: PageProblem("confirmation_required"))
    }

    var deleteAtOnce: DeletePage {
        DeletePage(clientName: text("Duck Shop"), who: nil, days: nil, hidden: hidden, problem: nil)
    }

    var signOut: SignOutPage { SignOutPage(clientName: text("Duck Shop"), hidden: hidden) }

    var disown: DisownPage {
        DisownPage(
            clientName: text("Duck Shop"), at: text("2026-11-21T13:15:48Z"), device: text("Firefox, Linux"),
            address: text("2001:db8::17"), hasPassword: true, hidden: hidden)
    }

    var disowned: DisownedPage {
        DisownedPage(
            clientName: text("Duck Shop"),
            removed: [
                DisownedMethod(kind: .passkey, id: text("01a1fe3f"), name: text("Chrome, macOS")),
                DisownedMethod(kind: .recoveryCodes, id: "", name: nil),
                DisownedMethod(kind: .identity, id: "", name: text("Google · lee@example.org")),
                DisownedMethod(kind: .merge, id: text("01a1fe41"), name: nil),
                DisownedMethod(kind: .deletion, id: "", name: nil),
            ],
            kept: [DisownedMethod(kind: .email, id: text("lee@example.org"), name: text("lee@example.org"))],
            resets: true, hidden: hidden, problem: PageProblem("last_credential"))
    }

    var disownedWithoutPassword: DisownedPage {
        DisownedPage(
            clientName: text("Duck Shop"), removed: [],
            kept: [DisownedMethod(kind: .totp, id: text("01a1fe40"), name: nil)], resets: false, hidden: hidden,
            problem: nil)
    }

    var disownWithLittle: DisownPage {
        DisownPage(
            clientName: text("Duck Shop"), at: text("2026-11-21T13:15:48Z"), device: nil, address: nil,
            hasPassword: false, hidden: hidden)
    }

    var merge: OwnMergePage {
        OwnMergePage(
            clientName: text("Duck Shop"), who: text("ann@example.com"),
            identities: [
                .init(provider: "google", name: text("Google"), email: text("ann@gmail.com")),
                .init(provider: "apple", name: text("Apple"), email: nil),
            ],
            emails: [text("ann@work.example")], phones: [text("+49 30 123456")], protections: text("2"),
            movesPassword: true,
            losesPassword: true, endsSessions: text("3"), hidden: hidden, problem: PageProblem("accounts_changed"))
    }

    var mergeOfLittle: OwnMergePage {
        OwnMergePage(
            clientName: text("Duck Shop"), who: nil, identities: [], emails: [], phones: [], protections: nil,
            movesPassword: false, losesPassword: false, endsSessions: nil, hidden: hidden, problem: nil)
    }
}

extension SignInWays {
    static var none: Self { Self([], nil, usedLast: nil) }
}
