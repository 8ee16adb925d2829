import Hummingbird

/// The account page: profile, identities, sessions and sign-out.
struct WebAccountDoor: AccountPagesDoor {
    let pages: AccountPages

    func mount(on router: Router<GatewayContext>) {
        router.get("account", use: accountPage)
        router.post("account/profile", use: saveProfile)
        router.post("account/identities/{id}/unlink", use: unlinkIdentity)
        router.post("account/sessions/{id}/end", use: endSession)
        router.post("logout", use: signOut)
    }
}
