import JSON
import Postgres
import TestSupport
import Testing

/// The back end of an app, with an access key for the administration API.
struct AccessKeyHolder: Sendable {
    let gateway: GatewayProcess
    let app: String
    let id: String
    let key: String

    /// Issues a key for an app of its own.
    ///
    /// - Parameter more: further members of the request.
    static func issue(
        _ role: String = "admin", _ more: JSONObject = [:], of app: String? = nil
    ) async throws -> AccessKeyHolder {
        let gateway = try GatewayProcess.current
        let app = if let app { app } else { try await addApp(gateway) }
        let owner = try await gateway.operatorSession("owner")
        var body = more
        (body["role"], body["reason"]) = (.string(role), "a test")
        let made = try await gateway.admin("POST", "clients/\(app)/access-keys", .object(body), by: owner)
        try #require(made.status == 201, "\(made.text)")
        let holder = AccessKeyHolder(
            gateway: gateway, app: app, id: try #require(made.json["id"]?.string),
            key: try #require(made.json["key"]?.string))
        try await holder.known()
        return holder
    }

    static func addApp(_ gateway: GatewayProcess) async throws -> String {
        let id = "keys-\(Fresh.text())"
        try await gateway.addClient(id, secret: nil)
        return id
    }

    /// Every server accepts a key within a second.
    private func known() async throws {
        try await poll { try await call("GET", "me").code != "access_key_invalid" ? () : nil }
    }

    func call(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> TestAnswer {
        try await gateway.admin(method, path, body, bearer: key)
    }

    /// The id of the key as an actor.
    var actor: String {
        get async throws {
            let actors: [String] = try await gateway.sql { connection in
                try connection.query("select actor_id::text from access_keys where id = \(id)").map { try $0.value(0) }
            }
            return try #require(actors.first)
        }
    }
}

extension GatewayProcess {
    func admin(_ method: String, _ path: String, _ body: JSON? = nil, bearer token: String) async throws -> TestAnswer {
        let request = TestRequest(method, "/admin/api/v1/\(path)").bearer(token)
        return try await send(body.map(request.json) ?? request)
    }
}
