import Foundation
import JSON
import OperatorAccess
import TestSupport
import Testing

@testable import Telemetry

/// Secrets near their expiry, and a key that Apple does not know.
private enum Ending {
    /// The day after tomorrow: less than a week away, and later than the end of the test.
    static let soon = String(RFC3339.text(Date().addingTimeInterval(2 * 86_400)).prefix(10))

    static let changes: [String: String?] = [
        "MICROSOFT_CLIENT_SECRET_EXPIRES": soon, "OIDC_ACME_CLIENT_SECRET_EXPIRES": "2020-01-01",
        "AMAZON_CLIENT_SECRET_EXPIRES": "2090-01-01", "APPLE_KEY_ID": "UNKNOWNKEY",
    ]
}

@Suite(
    "Expiring credentials at a server",
    .gateway(changes: { _ in StepServer.configuration.merging(Ending.changes) { $1 } }))
struct CredentialServerTests {
    @Test("the admin API lists each, soonest expiry first")
    func api() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let answer = try await gateway.admin("GET", "providers", by: viewer)
        let credentials = try #require(answer.json["credentials"]?.array, "\(answer.text)")
        let found = credentials.map { "\($0["name"]?.string ?? "") \($0["state"]?.string ?? "")" }
        #expect(
            found == [
                "acme_client_secret over", "microsoft_client_secret urgent", "signing_key good",
                "amazon_client_secret good", "apple_client_key endless", "google_client_secret unknown",
                "master_key_k1 endless",
            ])
        #expect(credentials[1]["expires_at"]?.string == "\(Ending.soon)T00:00:00Z")
        #expect(credentials[4]["note"] == "UNKNOWNKEY")
        let due = try Date(try #require(credentials[2]["expires_at"]?.string), strategy: .iso8601)
        #expect(abs(due.timeIntervalSinceNow - 90 * 86_400) < 3_600)
    }

    @Test("the console marks them, and shows that Apple's needs no action")
    func page() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/providers")
        let document = try HTMLDocument(Array(browser.page.text.utf8))
        let table = try #require(document.element(id: "credentials")?.text)
        for words in ["acme", "expired", "expires within a week", "nothing to renew", "UNKNOWNKEY", "No expiry set"] {
            #expect(table.contains(words), "\(words)")
        }
    }

    @Test("a key that Apple refuses is the provider's last failure, on the page too")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let minted = try await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))])
        #expect(try await gateway.signIn("apple", credential: minted.codeCredential()).status == 500)
        let viewer = try await gateway.operatorSession("viewer")
        let answer = try await gateway.admin("GET", "providers", by: viewer)
        let apple = answer.json["providers"]?.array?.first { $0["id"] == "apple" }
        #expect(apple?["last_failure_reason"] == "client_secret_rejected", "\(answer.text)")
        let browser = try await ConsoleOperator.browser(gateway, .viewer)
        try await browser.visit("/admin/providers")
        #expect(browser.page.text.contains("own credentials are refused"))
    }

    @Test("the log reports expired and expiring credentials at the start")
    func log() async throws {
        let gateway = try GatewayProcess.current
        let told = try await poll(within: .seconds(60)) {
            let lines = gateway.log.split(separator: "\n").compactMap { try? JSON(parsing: String($0)) }
            let told = lines.filter { $0["message"]?.string?.hasPrefix("a credential ") == true }
            return told.count < 2 ? nil : told
        }
        #expect(told.map { $0["level"]?.string } == ["error", "warning"])
        #expect(told.map { $0["name"]?.string } == ["acme_client_secret", "microsoft_client_secret"])
    }

    @Test("the command line lists them with the certificate of the configuration")
    func commandLine() async throws {
        let deployment = try GatewayProcess.current.deployment
        let folder = try CertificateFolder()
        let pair = try await folder.pair("tls", from: "20200101000000Z", to: "20400101000000Z")
        var changes = Ending.changes
        (changes["PUBLIC_URL"], changes["ENVIRONMENT"]) = ("https://localhost", "development")
        (changes["TLS_CERTIFICATE_FILE"], changes["TLS_KEY_FILE"]) = (pair.certificate, pair.key)
        for arguments in [["providers"], ["providers", "list"]] {
            let list = try await deployment.run(arguments, changes: changes)
            #expect(list.output.split(separator: "\n").contains { $0.hasPrefix("apple\t") }, "\(list)")
        }
        let list = try await deployment.run("providers", "credentials", changes: changes)
        let lines = list.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("acme_client_secret\tover\t2020-01-01T00:00:00Z\t-"), "\(list)")
        #expect(lines.contains("certificate\tgood\t2040-01-01T00:00:00Z\t-"))
        #expect(lines.contains("apple_client_key\tendless\t-\tUNKNOWNKEY"))
        #expect(lines.contains { $0.hasPrefix("signing_key\tgood\t2") })
    }

    @Test("an invalid date prevents the start")
    func noDay() async throws {
        let deployment = try GatewayProcess.current.deployment
        let check = try await deployment.run(
            "check-configuration", changes: ["MICROSOFT_CLIENT_SECRET_EXPIRES": "2027-02-30"])
        #expect(check.exitCode == 78)
        #expect(check.errors.contains("MICROSOFT_CLIENT_SECRET_EXPIRES"))
    }
}
