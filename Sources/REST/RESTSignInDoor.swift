import HTTPServer
import Hummingbird
import SignIn

/// Sign-in, sign-up, password reset and step-up.
struct RESTSignInDoor: RESTDoor {
    let calls: RESTCalls
    let flows: SignInFlows

    func mount(on router: Router<GatewayContext>) {
        router.post("v1/nonce", use: nonce)
        router.post("v1/sign-in", use: signIn)
        router.post("v1/sign-in/continue", use: continueSignIn)
        router.post("v1/sign-in/resend", use: resendSignIn)
        router.post("v1/sign-up", use: beginSignUp)
        router.post("v1/sign-up/confirm", use: confirmSignUp)
        router.post("v1/sign-up/resend", use: resendSignUp)
        router.post("v1/password/forgot", use: forgotPassword)
        router.post("v1/password/reset", use: resetPassword)
        router.post("v1/session/step-up", use: stepUp)
    }
}
