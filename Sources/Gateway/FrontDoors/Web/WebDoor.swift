import Accounts
import Hummingbird
import Sessions

/// The hosted pages and the callback host: HTML for people, redirects for browsers.
///
/// It decides nothing about who may sign in: it decodes, calls one service, and shows or redirects.
struct WebDoor: FrontDoor {
    let web: WebSignInService
    let tickets: WebTickets
    let flows: SignInFlows
    let factors: FactorService
    let addresses: AddressService
    let deletion: DeletionService
    let export: ExportService
    let activity: ActivityService
    let passwordChange: PasswordChangeService
    /// The name of a provider on pages, by its id.
    let providerName: @Sendable (String) -> String
    let sessions: SessionService
    let sessionCookies: SessionCookies
    let directory: SessionDirectory
    let accounts: AccountService
    let merging: MergeService
    let clients: ClientRegistry
    let refusals: RefusalLog
    let outcomes: OutcomeMetrics
    let forms: FormTokens
    let pages: PageRenderer
    /// The client of whoever comes without `client_id`.
    let defaultClient: String?
    let minimumPasswordLength: Int
    /// Whether text messages can be sent.
    let sendsTexts: Bool
    /// Scheme, host and port of our public address.
    let ownOrigin: String
    /// Whether browsers must reach us by https: everywhere but on `http://localhost`.
    let demandsSecureTransport: Bool

    /// Every path of the door.
    func mount(on router: Router<GatewayContext>) {
        router.get("login", use: loginPage)
        router.post("login", use: passwordLogin)
        router.post("login/continue", use: continueSignedIn)
        router.post("login/decline", use: declineLink)
        router.get("login/step", use: askStepAgain)
        router.post("login/step", use: answerStep)
        router.post("login/resend", use: resendStep)
        router.post("recovery-codes", use: recoveryCodesFile)
        router.get("login/{provider}", use: startRedirect)
        router.get("login/{provider}/callback", use: queryCallback)
        router.post("login/{provider}/callback", use: formCallback)
        router.post("login/{provider}/complete", use: complete)
        router.get("sign-up", use: signUpPage)
        router.post("sign-up", use: beginSignUp)
        router.post("sign-up/confirm", use: confirmSignUp)
        router.post("sign-up/resend", use: resendSignUp)
        router.get("forgot", use: forgotPage)
        router.post("forgot", use: beginReset)
        router.get("account", use: accountPage)
        router.post("account/profile", use: saveProfile)
        router.post("account/identities/{id}/unlink", use: unlinkIdentity)
        router.post("account/sessions/{id}/end", use: endSession)
        router.post("account/factors", use: addFactor)
        router.post("account/factors/confirm", use: confirmFactor)
        router.post("account/factors/{id}/remove", use: removeFactor)
        router.post("account/factors/{id}/prefer", use: preferFactor)
        router.post("account/addresses", use: addAddress)
        router.post("account/addresses/confirm", use: confirmAddress)
        router.post("account/addresses/prefer", use: preferAddress)
        router.post("account/addresses/remove", use: removeAddress)
        router.post("account/factor-removal/cancel", use: keepFactors)
        router.post("account/resend", use: resendAccountStep)
        router.post("account/recovery-codes", use: newRecoveryCodes)
        router.post("account/password", use: changePassword)
        router.post("account/devices/{id}/forget", use: forgetDevice)
        mountPrivacy(on: router)
        mountMerging(on: router)
        router.post("logout", use: signOut)
        router.get("assets/{name}", use: asset)
    }
}
