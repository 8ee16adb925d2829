import OperatorAccess
import Testing

/// The slowest requests of a server, on the console.
@Suite(.gateway())
struct ConsoleRequestsTests {
    @Test("A slow request is listed with its parts, and found by its reference")
    func slowest() async throws {
        let gateway = try GatewayProcess.current
        _ = try await gateway.signUp(Fresh.email())
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        #expect(try await browser.visit("/admin").links.contains("/admin/requests"))
        let list = try await browser.visit("/admin/requests")
        #expect(list.text.contains("Slow requests") && list.text.contains("POST /v1/sign-up"))
        let reference = try #require(list.links.first { $0.hasPrefix("/admin/accounts?q=") })
        let found = try await browser.visit(reference)
        #expect(found.status == 200)
        #expect(found.text.contains("id=\"costs\"") && found.text.contains("Statements"))
    }
}
