import JSON
import Testing

/// The account and administration calls refuse a query parameter that `docs/openapi.yaml` does not name.
@Suite("Unknown query parameters", .gateway(StepServer.withApps))
struct UnknownParameterTests {
    @Test("each call names an unknown parameter, and accepts those that the document lists")
    func refused() async throws {
        let page = try OpenAPIDocument.current.get()
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner").accessToken
        let user = try await gateway.anyone().accessToken
        let operations = page.operations.filter {
            $0.path.hasPrefix("/v1/account") || $0.path.hasPrefix("/admin/api/")
        }
        #expect(operations.count > 80)
        let complaints = try await inParallel(operations) { operation -> String? in
            let path = operation.path.replacing(#/\{\w+\}/#, with: "01a1fe3a-da0a-7381-bcf2-b234c60a8642")
            // The list of agents alone can be searched.
            let choice = operation.name == "GET /admin/api/v1/clients" ? "origin=agent&" : ""
            let request = TestRequest(operation.method, "\(path)?\(choice)limt=1")
            let answer = try await gateway.send(request.bearer(path.hasPrefix("/admin/") ? owner : user))
            let names = Self.parameters(of: operation)
            let listed = names.isEmpty ? "" : "; accepted: \(names.joined(separator: ", "))"
            let fault: JSON = [
                "pointer": "/limt", "code": "unknown_parameter", "detail": .string("unknown parameter" + listed),
            ]
            return answer.status == 400 && answer.json["errors"] == [fault] ? nil : "\(operation.name): \(answer.text)"
        }
        #expect(complaints.compactMap(\.self) == [])
    }

    @Test("a repeated parameter is refused, and a search for agents in the list of the operator's own apps")
    func ambiguous() async throws {
        let gateway = try GatewayProcess.current
        let owner = try await gateway.operatorSession("owner").accessToken
        func ask(_ query: String) async throws -> TestAnswer {
            try await gateway.send(TestRequest("GET", "/admin/api/v1/clients?\(query)").bearer(owner))
        }
        #expect(try await ask("origin=agent&origin=operator").code == "malformed_request")
        #expect(try await ask("q=ducks").json["errors"]?.array?.first?["pointer"] == "/q")
        #expect(try await ask("origin=agent&q=ducks").status == 200)
    }

    /// In the document's order.
    private static func parameters(of operation: OpenAPIDocument.Operation) -> [String] {
        (operation.json["parameters"]?.array ?? []).filter { $0["in"] == "query" }.compactMap { $0["name"]?.string }
    }
}
