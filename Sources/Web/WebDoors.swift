package import Accounts
package import HTTPServer
package import Pages
package import SignIn

/// The doors of the hosted pages.
package enum WebDoors {
    /// - Parameter hasReference: whether the API reference is served, as in development.
    package static func all(
        _ services: DoorServices, site: Site, invitations: InvitationService, disowning: DisownService,
        hasReference: Bool
    ) -> [any FrontDoor] {
        let reference: [any FrontDoor] = hasReference ? [WebReferenceDoor()] : []
        let pages = AccountPages(
            site: site, accounts: services.accounts, factors: services.factors, addresses: services.addresses,
            activity: services.activity, merging: services.merging, grants: services.grants)
        return [
            WebSignInDoor(site: site, factors: services.factors),
            WebProviderDoor(site: site, accounts: services.accounts),
            WebAccountDoor(pages: pages), WebSecurityDoor(pages: pages, passwordChange: services.passwordChange),
            WebPrivacyDoor(pages: pages, deletion: services.deletion, export: services.export),
            WebMergingDoor(pages: pages), WebDisownDoor(site: site, disowning: disowning),
            WebInvitationDoor(site: site, invitations: invitations),
            WebAssetDoor(assets: site.renderer.assets), WebStartDoor(site: site), WebErrorDoor(site: site),
        ] + reference
    }
}
