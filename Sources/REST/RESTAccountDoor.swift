import Accounts
import HTTPServer
import Hummingbird
import SignIn

/// The user's own account: profile, identities, deletion, export and history.
struct RESTAccountDoor: RESTDoor {
    let calls: RESTCalls
    let flows: SignInFlows
    let accounts: AccountService
    let deletion: DeletionService
    let export: ExportService
    let activity: ActivityService

    func mount(on router: Router<GatewayContext>) {
        router.get("v1/account", use: account)
        router.patch("v1/account", use: changeAccount)
        router.delete("v1/account", use: requestDeletion)
        router.delete("v1/account/deletion", use: cancelDeletion)
        router.acting("v1/account/export", use: exportAccount)
        router.get("v1/account/events", use: accountEvents)
        router.get("v1/account/identities", use: identities)
        router.post("v1/account/identities", use: linkIdentity)
        router.delete("v1/account/identities/{id}", use: unlinkIdentity)
    }
}
