import AdminHTTP
import Clients
import HTTPServer
import Hummingbird
import Logging
import Operators
import Sessions

/// The admin API (`docs/openapi.yaml`): JSON with the bearer token of an operator's session.
struct AdminDoor: FrontDoor {
    let services: AdminServices
    let directory: SessionDirectory
    let clients: ClientRegistry
    let log: CallLog
    let proofs: KeyProofs
    let logger: Logger
    /// The places of event streams, shared with the console.
    let streams: StreamPlaces

    static let root = "admin/api/v1"

    func mount(on router: Router<GatewayContext>) {
        let api = router.group(RouterPath(Self.root))
        api.get("me", use: me)
        api.acting("accounts", use: searchAccounts)
        api.post("accounts", use: createAccount)
        api.acting("accounts/{id}", use: showAccount)
        api.acting("accounts/{id}/history", use: showHistory)
        api.get("accounts/{id}/suggestions", use: showSuggestions)
        for action in AccountAction.all(.endpoint) {
            let path = RouterPath(action.path)
            if action.removes { api.delete(path, use: perform(action)) } else { api.post(path, use: perform(action)) }
        }
        api.post("accounts/{id}/merge/preview", use: previewMerge)
        api.post("accounts/{id}/merge", use: merge)
        api.post("accounts/{id}/split", use: split)
        api.post("changes/{id}/undo", use: undo)
        api.acting("audit", use: showAudit)
        api.post("audit/export", use: exportAudit)
        api.acting("audit/stream", use: streamAudit)
        api.get("clients", use: listClients)
        api.post("clients", use: createClient)
        api.get("clients/{id}", use: showClient)
        api.patch("clients/{id}", use: changeClient)
        api.post("clients/{id}/secret", use: replaceClientSecret)
        api.get("clients/{id}/access-keys", use: listAccessKeys)
        api.post("clients/{id}/access-keys", use: issueAccessKey)
        api.delete("clients/{id}/access-keys/{key}", use: revokeAccessKey)
        api.get("clients/{id}/linking", use: rehearseLinking)
        api.get("providers", use: listProviders)
        api.get("overview", use: overview)
        api.get("events/endpoints", use: listEndpoints)
        api.post("events/endpoints", use: createEndpoint)
        api.patch("events/endpoints/{id}", use: changeEndpoint)
        api.delete("events/endpoints/{id}", use: removeEndpoint)
        api.post("events/endpoints/{id}/secret", use: replaceEndpointSecret)
        api.post("events/endpoints/{id}/test", use: testEndpoint)
        api.post("events/endpoints/{id}/replay", use: replayEndpoint)
        api.get("events/deliveries", use: listDeliveries)
        api.post("events/deliveries/{id}/replay", use: replayDelivery)
        api.get("messages", use: listMessages)
        api.get("messages/{id}", use: showMessage)
        api.patch("messages/{id}", use: changeMessage)
        api.post("messages/{id}/reset", use: resetMessage)
        api.post("messages/{id}/preview", use: previewMessage)
        api.post("messages/{id}/test", use: testMessage)
        api.get("operators", use: listOperators)
        api.put("operators/{id}", use: grantRole)
        api.get("operators/{id}/methods", use: showMethods)
        api.delete("operators/{id}", use: withdrawRole)
    }
}
