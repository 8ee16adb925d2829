package import Accounts
package import AdminHTTP
package import HTTPServer
package import Hummingbird
package import Operators
package import Pages
package import Telemetry

/// The console: operators' pages over the services of the admin API.
///
/// Cookies, forms and texts are those of the hosted pages. Only the services decide about permissions. The pages hide
/// actions outside the operator's role, and the services refuse them.
package struct ConsoleDoor: FrontDoor {
    let web: Site
    let services: AdminServices
    let impersonation: Impersonation
    /// The client for signing in to the console.
    let client: String
    /// Our public address; `iss` of our tokens.
    let issuer: String
    let providerName: @Sendable (String) -> String
    /// What this server remembers of its slowest requests.
    let requests: SlowRequests
    /// The places of event streams, shared with the admin API.
    let streams: StreamPlaces
    /// Asks the signed-in user for a second factor, on the hosted pages.
    let raise: RaisingSessions
    /// The sign-in page of an app that is not stored, for a preview.
    let sampleLogin: @Sendable (LoginSample) -> any Page

    package init(
        web: Site, services: AdminServices, impersonation: Impersonation, client: String, issuer: String,
        providerName: @escaping @Sendable (String) -> String, requests: SlowRequests, streams: StreamPlaces,
        raise: @escaping RaisingSessions,
        sampleLogin: @escaping @Sendable (LoginSample) -> any Page
    ) {
        (self.web, self.services, self.client, self.providerName) = (web, services, client, providerName)
        (self.impersonation, self.issuer) = (impersonation, issuer)
        (self.requests, self.streams, self.raise, self.sampleLogin) = (requests, streams, raise, sampleLogin)
    }

    package func mount(on router: Router<GatewayContext>) {
        router.get("admin", use: overview)
        router.acting("admin/accounts", use: search)
        router.get("admin/new-account", use: newAccount)
        router.post("admin/new-account", use: createAccount)
        router.acting("admin/accounts/{id}", use: account)
        router.get("admin/accounts/{id}/change", use: confirmChange)
        router.post("admin/accounts/{id}/change", use: change)
        router.post("admin/end-impersonation", use: endImpersonation)
        router.get("admin/accounts/{id}/merge", use: previewMerge)
        router.post("admin/accounts/{id}/merge", use: merge)
        router.get("admin/accounts/{id}/split", use: previewSplit)
        router.post("admin/accounts/{id}/split", use: split)
        router.get("admin/accounts/{id}/undo", use: confirmUndo)
        router.post("admin/accounts/{id}/undo", use: undo)
        router.get("admin/clients", use: clients)
        router.get("admin/clients/{id}", use: client)
        router.get("admin/clients/{id}/change", use: editClient)
        router.post("admin/clients/{id}/change", use: changeClient)
        router.get("admin/agents", use: agents)
        router.get("admin/clients/{id}/revoke", use: confirmRevocation)
        router.post("admin/clients/{id}/revoke", use: revokeAgent)
        router.get("admin/clients/{id}/secret", use: confirmSecret)
        router.post("admin/clients/{id}/secret", use: replaceSecret)
        router.get("admin/clients/{id}/quickstart", use: quickstart)
        router.get("admin/clients/{id}/access-keys", use: accessKeys)
        router.post("admin/clients/{id}/access-keys", use: changeAccessKeys)
        router.get("admin/new-client", use: newClient)
        router.post("admin/new-client", use: createClient)
        router.post("admin/client-preview", use: previewClient)
        router.get("admin/events", use: endpoints)
        router.get("admin/events/{id}", use: endpoint)
        router.get("admin/events/{id}/change", use: editEndpoint)
        router.post("admin/events/{id}/change", use: changeEndpoint)
        router.get("admin/events/{id}/act", use: confirmAct)
        router.post("admin/events/{id}/act", use: act)
        router.get("admin/new-endpoint", use: newEndpoint)
        router.post("admin/new-endpoint", use: createEndpoint)
        router.get("admin/messages", use: messages)
        router.get("admin/messages/{id}", use: message)
        router.post("admin/messages/{id}", use: changeMessage)
        router.post("admin/message-preview/{id}", use: previewMessage)
        router.get("admin/providers", use: providers)
        router.get("admin/overview", use: overview)
        router.get("admin/requests", use: slowRequests)
        router.acting("admin/audit", use: audit)
        router.get("admin/audit/live", use: live)
        router.acting("admin/audit/live/rows", use: liveRows)
        router.get("admin/audit/export", use: confirmAuditExport)
        router.post("admin/audit/export", use: exportAudit)
        router.get("admin/operators", use: operators)
        router.get("admin/operators/change", use: confirmRole)
        router.post("admin/operators/change", use: changeRole)
    }
}
