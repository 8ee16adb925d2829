import JSON
import Testing

@testable import Web

/// The hosted pages in the users' view, and the path to each.
enum GalleryPage: String, CaseIterable, CustomTestStringConvertible {
    case login, loginWays = "login-other-ways", password, loginProblem = "login-problem", signUp = "sign-up", confirm,
        forgot, link, account
    case setUp = "authenticator-set-up", recoveryCodes = "recovery-codes", appCode = "authenticator-code"
    case chooseSetUp = "choose-set-up", recoveryCode = "recovery-code", mailedCode = "mailed-code"
    case reset = "reset-password", passkey = "passkey-set-up"
    case signUpAsked = "sign-up-asked", signUpProblem = "sign-up-problem", signUpCode = "sign-up-code"
    case confirmText = "confirm-text", newAddress = "new-address", addressCode = "address-code"
    case deleteAccount = "delete-account", deletionWaits = "account-deletion", deletionAsked = "deletion-requested"
    case cancelled = "notice-cancelled", stateNotBound = "notice-state-not-bound", repost, signedOut = "signed-out"
    case notMe = "not-me"
    case accountMethods = "account-sign-in-methods", accountTwoStep = "account-two-step"
    case accountDevices = "account-devices", accountActivity = "account-activity", accountData = "account-data"

    var testDescription: String { rawValue }

    /// The self-posting page is visible only without script.
    var options: BrowserOptions { BrowserOptions(runsScripts: self != .repost) }

    /// A user with a unique name.
    private var email: String { "ann.lee@\(rawValue).example.com" }

    func reach(_ browser: Browser, _ gateway: GatewayProcess) async throws {
        switch self {
        case .login: try await browser.visit("/login")
        case .loginWays:
            try await browser.visit("/login")
            try await browser.click("#other-ways summary")
        case .password:
            try await browser.visit("/login")
            try await browser.enterName(email)
        case .loginProblem:
            try await browser.visit("/login")
            try await browser.passwordSignIn(email, "not this one")
            try await browser.waitFor("#problem")
        case .signUp: try await browser.visit("/sign-up")
        case .confirm: try await browser.beginSignUp(email)
        case .forgot: try await browser.visit("/forgot")
        case .link:
            _ = try await gateway.signUp(email)
            try await browser.choose("amazon")
            try await browser.allow(as: email)
            try await browser.waitFor("#decline")
        case .signUpAsked, .signUpProblem, .signUpCode, .confirmText: try await reachSignUp(browser, gateway)
        case .newAddress, .addressCode: try await reachAddress(browser, gateway)
        case .account, .accountMethods, .accountTwoStep, .accountDevices, .accountActivity, .accountData:
            try await reachAccount(browser, gateway)
            try await browser.open(section)
        case .deleteAccount, .deletionWaits, .deletionAsked: try await reachDeletion(browser, gateway)
        case .setUp, .recoveryCodes, .appCode, .chooseSetUp, .recoveryCode, .mailedCode, .reset, .passkey:
            try await reachStep(browser, try await Person(gateway, email: email))
        case .cancelled:
            try await browser.choose("google")
            try await browser.click("#cancel")
            try await browser.waitFor("#action-try_again")
        case .stateNotBound:
            try await browser.choose("google")
            try await browser.forgetCookies()
            try await browser.click("#allow")
            try await browser.waitFor("#action-try_again")
        case .repost:
            try await browser.choose("apple")
            try await browser.click("#allow")
            try await browser.click("#answer #continue")
            try await browser.waitFor("#repost #continue")
        case .notMe:
            _ = try await gateway.signUp(email)
            _ = try await gateway.signInAsStranger(email)
            try await browser.visit(try await gateway.notMeLink(to: email))
            try await browser.waitFor("#disown")
        case .signedOut:
            try await browser.signUp(email, gateway: gateway)
            try await browser.signOut()
        }
    }

    private func reachSignUp(_ browser: Browser, _ gateway: GatewayProcess) async throws {
        var client = SigningUpClient(
            names: ["user_name", "email", "phone"],
            attributes: [
                ("given_name", "text", true), ("birthdate", "date", false), ("shoe_size", "number", false),
                ("newsletter", "flag", false), ("of_age", "flag", true),
            ])
        if self == .signUpCode {
            client = SigningUpClient(names: ["email", "phone"], providers: ["email_otp", "sms_otp"])
        }
        if self == .confirmText { client = SigningUpClient(names: ["phone"]) }
        try await browser.visit("/sign-up?client_id=\(try await client.add(gateway))")
        switch self {
        case .signUpProblem:
            try await browser.fill("#username", "7 ducks")
            try await browser.fill("#email", email)
            try await browser.click("#create-without-password")
            try await browser.waitFor("#problem")
        case .confirmText:
            try await browser.fill("#phone", Fresh.phone())
            try await browser.fill("#password", GatewayProcess.password)
            try await browser.click("#create")
            try await browser.waitFor("#code")
        default: try await browser.waitFor("#create")
        }
    }

    private func reachAddress(_ browser: Browser, _ gateway: GatewayProcess) async throws {
        try await browser.signUp(email, gateway: gateway)
        try await browser.click(self == .newAddress ? "#add-number" : "#add-address")
        if self == .addressCode {
            try await browser.fill("#email", "other.\(email)")
            try await browser.click("#go-on")
            try await browser.waitFor("#code")
        }
    }

    private func reachDeletion(_ browser: Browser, _ gateway: GatewayProcess) async throws {
        try await browser.signUp(email, gateway: gateway)
        try await browser.open(.data)
        try await browser.click("#delete-account")
        try await browser.waitFor("#delete-form")
        if self == .deleteAccount { return }
        try await browser.click("#confirm")
        try await browser.click("#delete")
        try await browser.waitFor("#action-sign_in")
        if self == .deletionAsked { return }
        try await browser.visit("/login")
        try await browser.passwordSignIn(email)
        try await browser.waitFor("#deletion")
    }

    private func reachStep(_ browser: Browser, _ person: Person) async throws {
        switch self {
        case .chooseSetUp:
            let client = try await Person.strictClient(person.gateway)
            try await person.signIn(browser, at: "/login?client_id=\(client)")
            try await browser.waitFor("[id^=choose-totp]")
        case .mailedCode:
            try await browser.visit("/login")
            try await browser.enterName(person.email)
            try await browser.useCode()
            try await browser.waitFor("#code")
        case .reset:
            try await browser.visit("/forgot")
            try await browser.fill("#username", person.email)
            try await browser.click("#send-code")
            try await browser.waitFor("#code")
        default: try await reachSecondFactor(browser, person)
        }
    }

    private func reachSecondFactor(_ browser: Browser, _ person: Person) async throws {
        try await person.signIn(browser)
        try await browser.arrive(at: "/account")
        try await browser.open(self == .passkey ? .signInMethods : .twoStep)
        try await browser.click(self == .passkey ? "#add-passkey" : "#add-totp")
        try await browser.waitFor(self == .passkey ? "#passkey-form" : "#qr")
        if [.setUp, .passkey].contains(self) { return }
        try await person.setUpApp(browser)
        if self == .recoveryCodes { return }
        try await browser.forgetCookies()
        try await person.signIn(browser)
        try await browser.waitFor("#remember-device")
        if self == .recoveryCode {
            try await browser.click("[id^=choose-recovery_code]")
            try await browser.waitFor("#recovery-code")
        }
    }

    /// A number of one account only.
    private var phone: String { "+491511234\(5_600 + (Self.allCases.firstIndex(of: self) ?? 0))" }

    private var section: AccountSection {
        switch self {
        case .accountMethods: .signInMethods
        case .accountTwoStep: .twoStep
        case .accountDevices: .devices
        case .accountActivity: .activity
        case .accountData: .data
        default: .profile
        }
    }

    /// With a second device, two identities and a number, so that every part of the page appears.
    private func reachAccount(_ browser: Browser, _ gateway: GatewayProcess) async throws {
        try await browser.signUp(email, name: "Ann Lee", gateway: gateway)
        let elsewhere = TestRequest("POST", "/v1/sign-in").header("User-Agent", "Firefox (Android)").json([
            "provider": "password", "client_id": "app",
            "credential": ["username": .string(email), "password": .string(GatewayProcess.password)],
        ])
        try #require(try await gateway.send(elsewhere).status == 200)
        for provider in ["google", "github"] {
            try await browser.open(.signInMethods)
            try await browser.click("#link-\(provider)")
            try await browser.allow(as: email)
            try await browser.waitFor("#done")
            try await browser.waitFor("[id^=unlink-]")
        }
        try await browser.addNumber(phone, gateway: gateway)
        let account = try await browser.accountID()
        try await browser.open(.twoStep)
        try await browser.click("#add-totp")
        let person = Person(gateway, email: email, account: account)
        try await person.setUpApp(browser)
        try await browser.visit("/account")
    }
}
