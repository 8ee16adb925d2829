import HTTPServer
import Hummingbird
import Sessions

/// Sessions of apps: refresh, look-up, sign-out.
struct RESTTokenDoor: RESTDoor {
    let calls: RESTCalls
    let sessions: SessionService
    let sessionCookies: SessionCookies
    /// The public address; `iss` of our tokens.
    let issuer: String

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/token/refresh", use: refresh)
        router.post("v1/sign-out", use: signOut)
        router.get("v1/session", use: session)
    }
}
