import HTTPServer
import Hummingbird
import Sessions
import SignIn

/// Sessions and their tokens: handover, refresh, introspection, revocation, sign-out.
struct RESTTokenDoor: RESTDoor {
    let calls: RESTCalls
    let sessions: SessionService
    let handover: HandoverService
    let inspector: TokenInspector
    let sessionCookies: SessionCookies
    /// The public address; `iss` of our tokens.
    let issuer: String

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/token", use: token)
        router.post("v1/token/refresh", use: refresh)
        router.post("v1/token/introspect", use: introspect)
        router.post("v1/token/revoke", use: revoke)
        router.post("v1/sign-out", use: signOut)
        router.get("v1/session", use: session)
    }
}
