@testable import Gateway

/// Every page with all its parts, and in its reduced forms.
struct SamplePages {
    /// Replaces a name or a value, given the ordinary one.
    var text: (String) -> String = { $0 }
    /// Replaces an address.
    var address: (String) -> String = { $0 }

    static let providerIDs = ["apple", "google", "microsoft", "amazon", "github", "acme"]

    var all: [(name: String, page: any Page)] {
        [
            ("login", login), ("login-problem", loginProblem), ("login-signed-in", loginSignedIn),
            ("login-no-password", loginWithoutPassword), ("login-no-provider", loginWithoutProvider),
            ("password", password), ("password-problem", passwordProblem),
            ("sign-up", signUp), ("sign-up-code", signUpWithoutPassword), ("confirm", confirm),
            ("confirm-text", confirmText), ("forgot", forgot),
            ("forgot-no-provider", forgotWithoutProvider),
            ("link", link), ("link-no-password", linkWithoutPassword), ("account", account),
            ("account-bare", accountWithLittle), ("delete", delete), ("delete-at-once", deleteAtOnce), ("merge", merge),
            ("disown", disown), ("disown-bare", disownWithLittle),
            ("merge-little", mergeOfLittle),
            ("repost", repost), ("notice", notice), ("signed-out", signedOut),
            ("error", ErrorPage(ErrorCatalogue.all[0])), ("errors", ErrorListPage(entries: [])),
            ("recovery-codes", recoveryCodes(onwardAddress: nil)),
            ("recovery-codes-account", recoveryCodes(onwardAddress: address("/account"))),
        ] + StepPage.Kind.allCases.map { ("step-\($0.rawValue)", step($0)) }
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
            ways: SignInWays(providers(), nil, usedLast: nil, inSight: 3),
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
            clientName: text("Duck Shop"), ways: SignInWays(providers(), nil, usedLast: nil, inSight: 1),
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

    var notice: NoticePage {
        NoticePage(
            code: "provider_unavailable", arguments: ["provider": text("Microsoft")], requestID: text("0123456789abc"),
            actions: [
                NoticePage.Action(key: "try_again", address: address("/login/microsoft"), isMain: true),
                NoticePage.Action(key: "sign_in_another_way", address: address("/login"), isMain: false),
                NoticePage.Action(key: text("no such way"), address: address("/"), isMain: false),
            ])
    }

    var signedOut: NoticePage { NoticePage(code: "signed_out", arguments: [:], requestID: nil, actions: []) }

    private var nameForm: LoginPage.NameForm { nameForm(asksForPassword: false) }
    private var nameWithPassword: LoginPage.NameForm { nameForm(asksForPassword: true) }

    private func ways(usedLast: String?) -> SignInWays {
        SignInWays(providers(), passkey, usedLast: usedLast, inSight: 1)
    }

    private var passkey: PasskeyOffer {
        PasskeyOffer(hidden: hidden, options: text(#"{"challenge":"AAAA"}"#), isSuggested: true)
    }

    private func nameForm(asksForPassword: Bool) -> LoginPage.NameForm {
        LoginPage.NameForm(
            hidden: hidden, names: SignInNames([.email]), username: text("ann@example.com"),
            asksForPassword: asksForPassword,
            signUpAddress: !asksForPassword ? address("/sign-up?client_id=shop") : nil,
            forgotAddress: address("/forgot?client_id=shop"))
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
    var account: AccountPage {
        AccountPage(
            name: text("Ann Müller"), email: text("ann@example.com"),
            accountID: text("01a1fe3f-ad60-7aaa-8bbb-0123456789ab"), hasPassword: true,
            identities: [
                identity("google", "Google", email: "ann@gmail.com"),
                identity(text("acme"), "Rindfleischetikettierungsüberwachungsaufgabengesetz", email: nil),
            ],
            linkable: Array(providers("/account/link/").suffix(4)), addresses: addresses,
            security: security,
            devices: [
                device("01a1fe3f-0001", "Firefox on Windows", isCurrent: true),
                device("01a1fe3f-0002", "Ann's phone", isCurrent: false),
            ],
            merges: [
                .init(id: text("01a1fe44"), madeAt: text("2026-11-20T09:00:00Z"), until: text("2026-11-27T09:00:00Z"))
            ],
            privacy: privacy, hidden: hidden, done: "saved", problem: PageProblem("last_credential"))
    }

    var accountWithLittle: AccountPage {
        AccountPage(
            name: nil, email: nil, accountID: text("01a1fe3f"), hasPassword: false,
            identities: [identity("apple", "Apple", email: nil)], linkable: [], addresses: [],
            security: AccountPage.Security(
                factors: [], canAddPasskey: false, canAddPhone: false, recoveryCodesLeft: nil, minimumPasswordLength: 8,
                remembered: []),
            devices: [device("01a1fe3f-0001", "Safari", isCurrent: true)], merges: [],
            privacy: AccountPage.Privacy(events: [], deletionDue: nil), hidden: hidden, done: text("no such notice"),
            problem: nil)
    }

    private var privacy: AccountPage.Privacy {
        AccountPage.Privacy(
            events: [
                AccountPage.Event(
                    what: "signed_in", author: nil, choice: nil, means: text("Google"),
                    place: text("Firefox, Linux · 192.0.2.1"),
                    at: text("2026-11-21T13:14:19Z")),
                AccountPage.Event(
                    what: "factor_added", author: "support", choice: "totp", means: nil, place: nil,
                    at: text("2026-11-20T09:00:00Z")),
            ], deletionDue: text("2026-12-05T13:14:19Z"))
    }

    private var security: AccountPage.Security {
        AccountPage.Security(
            factors: [
                factor("f1", "totp", detail: nil, isPreferred: true), factor("f2", "email", detail: "a@b.example"),
                factor("f3", "passkey", detail: "Chrome, macOS"), factor("f4", text("odd"), detail: "?"),
            ], canAddPasskey: true, canAddPhone: true, recoveryCodesLeft: text("9"), minimumPasswordLength: 8,
            remembered: [
                AccountPage.RememberedDevice(
                    id: text("d1"), name: text("Firefox"), expiresAt: text("2026-12-21T09:00:00Z")),
                AccountPage.RememberedDevice(id: text("d2"), name: nil, expiresAt: text("2026-12-21T09:00:00Z")),
            ])
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
            lastUsedAt: text("2026-11-20T09:00:00Z"), isCurrent: isCurrent)
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

    var disown: DisownPage {
        DisownPage(
            clientName: text("Duck Shop"), at: text("2026-11-21T13:15:48Z"), device: text("Firefox, Linux"),
            address: text("2001:db8::17"), hasPassword: true, hidden: hidden)
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
    static var none: Self { Self([], nil, usedLast: nil, inSight: 1) }
}
