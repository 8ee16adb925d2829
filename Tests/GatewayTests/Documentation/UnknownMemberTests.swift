import Foundation
import JSON
import Testing

@testable import Gateway

/// The API refuses a member that it does not know; a misspelt one would count as absent.
@Suite("Unknown members", .gateway(StepServer.withApps))
struct UnknownMemberTests {
    /// The operations with a JSON body of our own.
    ///
    /// Providers and mail services send the others.
    static let operations: [OpenAPIDocument.Operation] = ((try? OpenAPIDocument())?.operations ?? []).filter {
        $0.json["requestBody"]?["content"]?["application/json"] != nil && !$0.path.hasPrefix("/v1/events/")
    }

    @Test("the operations are read from the page")
    func read() {
        #expect(Self.operations.count > 40)
    }

    @Test("every operation refuses an unknown member and names it", arguments: operations.map(\.name))
    func unknown(name: String) async throws {
        let operation = try #require(Self.operations.first { $0.name == name })
        var body: JSONObject = ["pasword": "x"]
        if name.contains("/admin/") { body["reason"] = "a test" }
        if name == "POST /admin/api/v1/clients" { body["id"] = "ducks" }
        let answer = try await Self.send(.object(body), to: operation)
        let faults = answer.json["errors"]?.array ?? []
        #expect(answer.status == 400 && answer.code == "invalid_request", "\(answer.text)")
        #expect(faults.first?["pointer"] == "/pasword" && faults.first?["code"] == "unknown_member", "\(answer.text)")
    }

    @Test("every operation knows its documented members", arguments: operations.map(\.name))
    func documented(name: String) async throws {
        let operation = try #require(Self.operations.first { $0.name == name })
        let page = try OpenAPIDocument()
        let schema = try #require(operation.json["requestBody"]?["content"]?["application/json"]?["schema"])
        let members = page.check.resolved(schema)?["properties"]?.object?.members.map(\.name) ?? []
        #expect(!members.isEmpty)
        for member in members {
            let answer = try await Self.send(.object(JSONObject([.init(name: member, value: 1)])), to: operation)
            let unknown = (answer.json["errors"]?.array ?? []).contains { $0["code"] == "unknown_member" }
            #expect(!unknown, "\(member): \(answer.text)")
        }
    }

    /// A credential or an answer with a misspelt member.
    static let rows: [(path: String, body: JSON, pointer: String)] = [
        credential("password", ["username": "ann@example.com", "pasword": "x"], "/credential/pasword"),
        credential("email_otp", ["username": "ann@example.com", "code": "1"], "/credential/code"),
        credential("passkey", ["username": "ann"], "/credential/username"),
        credential("apple", ["identity_token": "x", "authorisation_code": "x"], "/credential/authorisation_code"),
        credential("amazon", ["access_tokn": "x"], "/credential/access_tokn"),
        credential("google", ["id_tokn": "x"], "/credential/id_tokn"),
        ("/v1/sign-in/continue", ["flow": "x", "response": ["code": "1", "passwrd": "x"]], "/response/passwrd"),
        ("/v1/sign-in/continue", ["flow": "x", "response": [:], "device": ["nam": "x"]], "/device/nam"),
    ]

    private static func credential(_ provider: String, _ members: JSON, _ pointer: String) -> (String, JSON, String) {
        ("/v1/sign-in", ["provider": .string(provider), "client_id": "app", "credential": members], pointer)
    }

    @Test("a misspelt member of a credential, an answer or a device is named", arguments: rows.indices)
    func misspelt(index: Int) async throws {
        let row = Self.rows[index]
        let answer = try await GatewayProcess.current.post(row.path, row.body)
        let fault = answer.json["errors"]?.array?.first
        #expect(fault?["pointer"]?.string == row.pointer && fault?["code"] == "unknown_member", "\(answer.text)")
    }

    @Test("3-R11: what accompanies Apple's token is refused by name, as the page says", arguments: ["user", "email"])
    func besideApplesToken(member: String) async throws {
        var credential: JSONObject = ["identity_token": "x"]
        credential[member] = ["email": "a@example.com"]
        let answer = try await GatewayProcess.current.post(
            "/v1/sign-in", ["provider": "apple", "client_id": "app", "credential": .object(credential)])
        let fault = answer.json["errors"]?.array?.first
        #expect(fault?["pointer"]?.string == "/credential/\(member)" && fault?["code"] == "unknown_member")
    }

    private static func send(_ body: JSON, to operation: OpenAPIDocument.Operation) async throws -> TestAnswer {
        let gateway = try GatewayProcess.current
        let path = operation.path.replacing(#/\{\w+\}/#, with: UUID().uuidString.lowercased())
        var request = TestRequest(operation.method, path).json(body)
        if operation.path.hasPrefix("/admin/") {
            request = request.bearer(try await gateway.operatorSession("owner").accessToken)
        } else if operation.json["security"]?.array?.contains(where: { $0["bearer"] != nil }) == true {
            request = request.bearer(try await gateway.anyone().accessToken)
        }
        return try await gateway.send(request)
    }
}
