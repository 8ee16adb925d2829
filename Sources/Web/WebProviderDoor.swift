import HTTPServer
import Hummingbird
import Pages
import SignIn

/// Redirects to a provider's pages, and its callbacks.
struct WebProviderDoor: FrontDoor, HostedPages {
    let site: Site
    let accounts: AccountService

    func mount(on router: Router<GatewayContext>) {
        router.acting("login/{provider}", use: startRedirect)
        router.acting("login/{provider}/callback", use: queryCallback)
        router.post("login/{provider}/callback", use: formCallback)
        router.post("login/{provider}/complete", use: complete)
    }
}
