import HTTPServer
import Hummingbird
import SignIn

/// The user's own factors, addresses, password and remembered devices.
struct WebSecurityDoor: AccountPagesDoor {
    let pages: AccountPages
    let passwordChange: PasswordChangeService

    func mount(on router: Router<GatewayContext>) {
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
    }
}
