import HTTPServer
import Hummingbird

/// The account page in sections, changes of the profile, the identities and the sessions, and sign-out.
struct WebAccountDoor: AccountPagesDoor {
    let pages: AccountPages

    func mount(on router: Router<GatewayContext>) {
        for section in AccountSection.allCases {
            router.get(RouterPath(section.address)) { request, context in
                try await accountPage(section, request, context)
            }
        }
        router.post("account/profile", use: saveProfile)
        router.post("account/identities/{id}/unlink", use: unlinkIdentity)
        router.post("account/sessions/{id}/end", use: endSession)
        router.post("account/apps/{client}/revoke", use: revokeApp)
        router.post("logout", use: signOut)
    }
}
