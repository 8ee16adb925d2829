import Accounts
import Hummingbird
import JSON
import Sessions

/// Our own API (`docs/openapi.yaml`): JSON in and out for apps, forms for what the OAuth standards define as forms.
struct RESTDoor: FrontDoor {
    let flows: SignInFlows
    let factors: FactorService
    let passwordChange: PasswordChangeService
    let sessions: SessionService
    let handover: HandoverService
    let sessionCookies: SessionCookies
    let directory: SessionDirectory
    let accounts: AccountService
    let merging: MergeService
    let addresses: AddressService
    let deletion: DeletionService
    let export: ExportService
    let activity: ActivityService
    let inspector: TokenInspector
    let clients: ClientRegistry
    let signingKeys: SigningKeys
    let reports: DeliveryReports
    let notifications: ProviderNotifications
    let refusals: RefusalLog
    let outcomes: OutcomeMetrics
    /// The public address, `iss` of our tokens.
    let issuer: String

    /// Every path of the door.
    func mount(on router: Router<GatewayContext>) {
        router.post("v1/nonce", use: nonce)
        router.post("v1/sign-in", use: signIn)
        router.post("v1/sign-in/continue", use: continueSignIn)
        router.post("v1/sign-in/resend", use: resendSignIn)
        router.post("v1/password/forgot", use: forgotPassword)
        router.post("v1/password/reset", use: resetPassword)
        router.post("v1/password/change", use: changePassword)
        router.post("v1/session/step-up", use: stepUp)
        router.post("v1/sign-up", use: beginSignUp)
        router.post("v1/sign-up/confirm", use: confirmSignUp)
        router.post("v1/sign-up/resend", use: resendSignUp)
        router.post("v1/token", use: token)
        router.post("v1/token/refresh", use: refresh)
        router.post("v1/token/introspect", use: introspect)
        router.post("v1/token/revoke", use: revoke)
        router.post("v1/sign-out", use: signOut)
        router.get("v1/session", use: session)
        router.get("v1/account", use: account)
        router.patch("v1/account", use: changeAccount)
        mountPrivacy(on: router)
        mountMerging(on: router)
        router.get("v1/account/identities", use: identities)
        router.post("v1/account/identities", use: linkIdentity)
        router.delete("v1/account/identities/{id}", use: unlinkIdentity)
        router.get("v1/account/factors", use: listFactors)
        router.post("v1/account/factors", use: addFactor)
        router.post("v1/account/factors/confirm", use: confirmFactor)
        router.patch("v1/account/factors/{id}", use: changeFactor)
        router.delete("v1/account/factors/{id}", use: removeFactor)
        router.get("v1/account/addresses", use: listAddresses)
        router.post("v1/account/addresses", use: addAddress)
        router.post("v1/account/addresses/confirm", use: confirmAddress)
        router.patch("v1/account/addresses/{address}", use: preferAddress)
        router.delete("v1/account/addresses/{address}", use: removeAddress)
        router.delete("v1/account/factor-removal", use: keepFactors)
        router.get("v1/account/devices", use: listDevices)
        router.delete("v1/account/devices/{id}", use: forgetDevice)
        router.get("v1/account/sessions", use: deviceSessions)
        router.delete("v1/account/sessions/{id}", use: endDeviceSession)
        mountEvents(on: router)
        router.get(".well-known/jwks.json", use: keySet)
        router.get(".well-known/openid-configuration", use: metadata)
        router.get(".well-known/oauth-authorization-server", use: authorizationServer)
    }
}
