import HTTPServer
import Hummingbird
import Sessions
import SignIn

/// The user's own factors, addresses, password, devices and sessions.
struct RESTSecurityDoor: RESTDoor {
    let calls: RESTCalls
    let factors: FactorService
    let addresses: AddressService
    let passwordChange: PasswordChangeService
    let sessions: SessionService

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/password/change", use: changePassword)
        router.get("v1/account/factors", use: listFactors)
        router.post("v1/account/factors", use: addFactor)
        router.post("v1/account/factors/confirm", use: confirmFactor)
        router.patch("v1/account/factors/{id}", use: changeFactor)
        router.delete("v1/account/factors/{id}", use: removeFactor)
        router.delete("v1/account/factor-removal", use: keepFactors)
        router.get("v1/account/addresses", use: listAddresses)
        router.post("v1/account/addresses", use: addAddress)
        router.post("v1/account/addresses/confirm", use: confirmAddress)
        router.patch("v1/account/addresses/{address}", use: preferAddress)
        router.delete("v1/account/addresses/{address}", use: removeAddress)
        router.get("v1/account/devices", use: listDevices)
        router.delete("v1/account/devices/{id}", use: forgetDevice)
        router.get("v1/account/sessions", use: deviceSessions)
        router.delete("v1/account/sessions/{id}", use: endDeviceSession)
    }
}
