import Authorization
import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Sessions
import Vocabulary

/// Dynamic client registration (RFC 7591) and its management (RFC 7592).
struct OpenIDRegistrationDoor: OAuthDoor {
    let log: CallLog
    let directory: SessionDirectory
    let registrations: ClientRegistrations
    /// The public address.
    let issuer: String

    static let path = "/v1/register"

    /// Mounts nothing where no app may register itself.
    func mount(on router: Router<GatewayContext>) {
        guard registrations.policy.isOn else { return }
        router.post("v1/register", use: register)
        router.get("v1/register/{id}", use: show)
        router.put("v1/register/{id}", use: replace)
        router.delete("v1/register/{id}", use: end)
    }

    /// `POST /v1/register` (RFC 7591 §3).
    @Sendable func register(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("register_client", request, context) { call in
            let (metadata, made) = try await explaining {
                let metadata = try ClientMetadata(try await JSONBody.changes(request))
                let bearer = request.headers.credentials(.bearer)
                return (metadata, try await registrations.register(metadata, bearer: bearer, caller: call.caller))
            }
            var answer = metadata.json
            answer["client_id"] = .string(made.client)
            answer["client_id_issued_at"] = .integer(Int(directory.now.timeIntervalSince1970))
            if let secret = made.secret {
                answer["client_secret"] = .string(secret)
                answer["client_secret_expires_at"] = 0
            }
            answer["registration_client_uri"] = .string("\(issuer)\(Self.path)/\(made.client)")
            answer["registration_access_token"] = .string(made.token)
            return .json(.object(answer), status: .created)
        }
    }

    /// `GET /v1/register/{id}` (RFC 7592 §2.1).
    @Sendable func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("show_registration", request, context) { _ in
            .json(.object(Self.json(try client(request, context))))
        }
    }

    /// `PUT /v1/register/{id}` (RFC 7592 §2.2): replaces the whole registration; a secret stays.
    @Sendable func replace(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("replace_registration", request, context) { call in
            let sent = try await JSONBody.changes(request)
            let held = try client(request, context)
            let metadata = try await explaining {
                let metadata = try ClientMetadata(sent)
                let proof = ClientMetadata.Method(of: held)
                guard metadata.method == proof || metadata.method.hasSecret && proof.hasSecret else {
                    throw Problem(
                        .badRequest, code: "invalid_client_metadata",
                        detail:
                            "token_endpoint_auth_method: can't change, except from one way of the secret to the other")
                }
                try await registrations.replace(held, by: metadata, caller: call.caller)
                return metadata
            }
            var answer = metadata.json
            answer["client_id"] = .string(held.id)
            return .json(.object(answer))
        }
    }

    /// `DELETE /v1/register/{id}` (RFC 7592 §2.3).
    @Sendable func end(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("end_registration", request, context) { call in
            try await registrations.end(try client(request, context), caller: call.caller)
            return Response(status: .noContent)
        }
    }

    private func client(_ request: Request, _ context: GatewayContext) throws(Rejection) -> Client {
        try registrations.client(
            context.parameters.get("id") ?? "", token: request.headers.credentials(.bearer))
    }

    /// Runs `body`, whose faults of metadata become problems.
    private func explaining<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let fault as ClientMetadata.Fault {
            throw Problem(.badRequest, code: fault.code, detail: fault.description)
        }
    }

    private static func json(_ client: Client) -> JSONObject {
        var json: JSONObject = [
            "client_id": .string(client.id), "client_name": .string(client.name),
            "redirect_uris": .array(client.redirectURIs.map { .string($0.text) }),
            "token_endpoint_auth_method": .string(ClientMetadata.Method(of: client).rawValue),
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
        ]
        let settings = client.openID.json
        for name in OpenIDSettings.subjectMembers + OpenIDSettings.keyMembers { json[name] = settings[name] }
        return json
    }
}
