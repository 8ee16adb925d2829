import HTTPServer
import Hummingbird
import Pages
import SignIn

/// The pages for signing in and signing up.
struct WebSignInDoor: FrontDoor, HostedPages {
    let site: Site
    let factors: FactorService

    func mount(on router: Router<GatewayContext>) {
        router.get("login", use: loginPage)
        router.post("login", use: passwordLogin)
        router.post("login/continue", use: continueSignedIn)
        router.post("login/decline", use: declineLink)
        router.post("login/passkey", use: takeOffer)
        router.acting("login/step", use: askStepAgain)
        router.post("login/step", use: answerStep)
        router.post("login/resend", use: resendStep)
        router.post("recovery-codes", use: recoveryCodesFile)
        router.get("sign-up", use: signUpPage)
        router.post("sign-up", use: beginSignUp)
        router.post("sign-up/confirm", use: confirmSignUp)
        router.post("sign-up/resend", use: resendSignUp)
        router.get("forgot", use: forgotPage)
        router.post("forgot", use: beginReset)
    }
}
