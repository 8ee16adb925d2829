import HTTPServer
import Hummingbird

/// Version 2 of Microsoft's native authentication API, for apps that enable this dialect.
///
/// The app follows the links of the answers. The first segment of every address names the tenant.
struct NativeV2Door: FrontDoor {
    let challenge: NativeV2Challenge
    let journeys: NativeV2Journeys
    let methods: NativeV2MethodCalls

    func mount(on router: Router<GatewayContext>) {
        let tenant = router.group(":realm")
        tenant.post("oauth2/v2.0/authorize-challenge", use: challenge.authorize)
        let api = tenant.group("api/v2.0")
        api.post("signin/start", use: journeys.signIn)
        api.post("signup/start", use: journeys.signUp)
        api.post("resetpassword/start", use: journeys.reset)
        api.post("signup/attributes", use: journeys.attributes)
        api.put("resetpassword/password", use: journeys.password)
        api.post("resetpassword/poll", use: journeys.poll)
        let method = api.group("auth/methods/:type/:method")
        method.post("challenge", use: methods.challenge)
        method.post("verify", use: methods.verify)
        method.post("resend", use: methods.resend)
    }
}
