import Foundation
import JSON
import TestSupport
import Testing

/// `gateway clients show --msal-…`.
@Suite("The commands for MSAL's configuration")
struct MSALCommandTests {
    private static let tenant = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"
    private static let application = "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f1"
    private static let named = dialects(#""tenant_name": "contoso.onmicrosoft.com", "#)
    private static let authority: JSON = "https://login.ducks.org/contoso.onmicrosoft.com"
    private static let redirects = [
        "msauth.org.ducks.app://auth", "org.ducks.app://auth", "https://ducks.org/in",
        "msauth://org.ducks.app/ga0RGNYHvNM5d0SLGQfpQWAPGJ8=",
    ]

    private static func dialects(_ more: String = "") -> String {
        #"{"native_auth": {"tenant_id": "\#(tenant)", \#(more)"application_id": "\#(application)"}}"#
    }

    private static func make(_ id: String, _ dialects: String, _ deployment: Deployment, _ more: [String]) async throws
    {
        let result = try await deployment.run(["clients", "create", id, "--dialects", dialects] + more)
        try #require(result.exitCode == 0, "\(result.errors)")
    }

    private static func show(
        _ id: String, _ form: String, _ deployment: Deployment, at address: String = "https://login.ducks.org"
    ) async throws -> CommandResult {
        let changes = ["PUBLIC_URL": address, "ENVIRONMENT": "development"]
        return try await deployment.run("clients", "show", id, form, changes: changes)
    }

    @Test("an app's configuration has its ids, its redirect URI and the address of its tenant at the gateway")
    func forms() async throws {
        try await withDeployment { deployment in
            let redirects = Self.redirects.flatMap { ["--redirect-uri", $0] }
            try await Self.make("ducks", Self.named, deployment, ["--provider", "password"] + redirects)
            let config = try await Self.show("ducks", "--msal-config", deployment)
            let android: JSON = [
                "client_id": .string(Self.application),
                "authorities": [["type": "CIAM", "authority_url": Self.authority]],
                "challenge_types": ["oob", "password"], "account_mode": "SINGLE",
                "redirect_uri": .string(Self.redirects[3]), "broker_redirect_uri_registered": false,
            ]
            #expect(try JSON(parsing: config.output) == android && config.errors == "", "\(config)")
            let script = try await Self.show("ducks", "--msal-js", deployment)
            let javaScript: JSON = [
                "auth": [
                    "clientId": .string(Self.application), "authority": Self.authority,
                    "knownAuthorities": ["login.ducks.org"], "redirectUri": .string(Self.redirects[2]),
                ],
                "customAuth": ["challengeTypes": ["oob", "password", "redirect"]],
            ]
            #expect(try JSON(parsing: script.output) == javaScript && script.errors == "", "\(script)")
        }
    }

    @Test("an app without passwords, a tenant's name or a redirect URI has none in its configuration")
    func plain() async throws {
        try await withDeployment { deployment in
            try await Self.make("ducks", Self.dialects(), deployment, ["--provider", "email_otp", "--confidential"])
            let config = try await Self.show("ducks", "--msal-config", deployment, at: "https://login.ducks.org:8443")
            let file = try JSON(parsing: config.output)
            #expect(file["challenge_types"] == ["oob"] && file["redirect_uri"] == nil)
            let authority: JSON = .string("https://login.ducks.org:8443/\(Self.tenant)")
            #expect(file["authorities"]?.array?.first?["authority_url"] == authority)
            #expect(config.errors.contains("no redirect URI for Android"), "\(config.errors)")
            #expect(config.errors.contains("The app is confidential."), "\(config.errors)")
            let script = try JSON(parsing: try await Self.show("ducks", "--msal-js", deployment).output)
            #expect(script["auth"]?["redirectUri"] == nil)
        }
    }

    @Test("3-C11: the settings of one dialect keep those of the other; null turns one off, and an empty object all")
    func merged() async throws {
        try await withDeployment { deployment in
            try await Self.make("ducks", Self.named, deployment, ["--provider", "password"])
            func dialects(_ text: String) async throws -> [String] {
                let result = try await deployment.run(
                    "clients", "change", "ducks", "--dialects", text, "--reason", "a test", "--json")
                try #require(result.exitCode == 0, "\(result.errors)")
                return try JSON(parsing: result.output)["dialects"]?.object?.members.map(\.name).sorted() ?? []
            }
            let cognito = #"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#
            #expect(try await dialects(cognito) == ["cognito", "native_auth"])
            #expect(try await dialects(#"{"cognito": null}"#) == ["native_auth"])
            #expect(try await dialects("{}") == [])
        }
    }

    @Test("a missing dialect, an unsuitable address and two forms are refused with the remedy")
    func refused() async throws {
        try await withDeployment { deployment in
            try await Self.make("geese", "{}", deployment, ["--provider", "-"])
            let without = try await Self.show("geese", "--msal-js", deployment)
            #expect(without.exitCode == 1 && without.output == "")
            #expect(without.errors.contains("Run: gateway clients change geese --dialects '{\"native_auth\": {"))
            try await Self.make("ducks", Self.named, deployment, ["--provider", "-"])
            for address in ["http://localhost:8080", "https://localhost:8443"] {
                let config = try await Self.show("ducks", "--msal-config", deployment, at: address)
                #expect(config.exitCode == 1 && config.output == "", "\(config)")
                #expect(config.errors.contains("PUBLIC_URL is \(address). Set it to"), "\(config.errors)")
            }
            let local = try await Self.show("ducks", "--msal-js", deployment, at: "http://localhost:8080")
            let auth = try JSON(parsing: local.output)["auth"]
            #expect(auth?["authority"] == "http://localhost:8080/contoso.onmicrosoft.com")
            #expect(auth?["knownAuthorities"] == ["localhost:8080"])
            for other in ["--msal-js", "--amplify-js"] {
                let both = try await deployment.run("clients", "show", "ducks", "--msal-config", other)
                #expect(both.exitCode == 64, "\(both)")
            }
        }
    }
}
