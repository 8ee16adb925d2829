import JSON
import Outbound

/// One request of an attack, as data.
struct AttackRequest: Sendable {
    var method: String
    /// The request target with its query.
    var path: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?

    static func get(_ path: String, _ query: [(String, String)] = []) -> AttackRequest {
        AttackRequest(method: "GET", path: FormEncoding.appending(query, to: path))
    }

    static func form(_ path: String, _ fields: [(String, String)]) -> AttackRequest {
        .post(path, "application/x-www-form-urlencoded", Array(FormEncoding.encode(fields).utf8))
    }

    static func json(_ path: String, _ body: JSON) -> AttackRequest { .post(path, "application/json", body.bytes()) }

    static func post(_ path: String, _ type: String, _ body: [UInt8]) -> AttackRequest {
        AttackRequest(method: "POST", path: path, headers: [("Content-Type", type)], body: body)
    }

    func with(_ name: String, _ value: String) -> AttackRequest {
        var request = self
        request.headers.append((name, value))
        return request
    }

    func bearer(_ token: String) -> AttackRequest { with("Authorization", "Bearer \(token)") }

    /// What evidence says of it: without the query and the body, which may have secrets.
    var shown: String { "\(method) \(path.prefix { $0 != "?" })" }

    /// The bytes of HTTP/1.1 that end the connection after the answer.
    func bytes(to authority: String) -> [UInt8] {
        var fields = headers
        if !fields.contains(where: { $0.name == "Host" }) { fields.insert(("Host", authority), at: 0) }
        fields += [("User-Agent", "login-gateway-attack"), ("Connection", "close")]
        if let body { fields.append(("Content-Length", "\(body.count)")) }
        let lines = ["\(method) \(path) HTTP/1.1"] + fields.map { "\($0.name): \($0.value)" } + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8) + (body ?? [])
    }
}
