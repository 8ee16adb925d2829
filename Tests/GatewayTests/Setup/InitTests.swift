import Foundation
import TestSupport
import Testing

/// `gateway init` with options, without a terminal.
@Suite("The command init")
struct InitTests {
    private static let address = ["--public-url", "http://localhost:8080", "--mail-from", "login@example.com"]

    /// The deployment's own database, and no other settings.
    private static func environment(_ deployment: Deployment, _ changes: [String: String] = [:]) -> [String: String] {
        ["DATABASE_URL": deployment.database.url].merging(changes) { $1 }
    }

    private static func run(
        _ deployment: Deployment, _ arguments: [String], _ changes: [String: String] = [:]
    ) async throws -> CommandResult {
        let child = try ChildProcess(
            "gateway", ["init"] + arguments, environment: environment(deployment, changes), folder: deployment.folder)
        let code = await child.waitForExit(within: .seconds(90))
        if code == nil { await child.kill9() }
        return CommandResult(exitCode: code, output: child.output, errors: child.errors)
    }

    private static func text(_ deployment: Deployment, _ name: String = ".env") -> String? {
        try? String(contentsOfFile: "\(deployment.folder)/\(name)", encoding: .utf8)
    }

    @Test("A file that the other commands accept, readable by its owner only, with fresh keys each time")
    func written() async throws {
        try await withDeployment { deployment in
            let arguments = Self.address + ["--client-id", "app", "--redirect-uri", "https://app.example.com/back"]
            var keys: Set<Substring> = []
            for name in ["first.env", "second.env"] {
                let result = try await Self.run(deployment, arguments + ["--output", name])
                #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
                #expect(result.output.contains("Next: gateway migrate --env-file \(name)"))
                let lines = try #require(Self.text(deployment, name)).split(separator: "\n")
                keys.formUnion(lines.filter { $0.hasPrefix("MASTER_KEYS=k1:") })
                for line in [
                    "PUBLIC_URL=http://localhost:8080", "MAIL_FROM=login@example.com", "CLIENT_ID=app",
                    "CLIENT_REDIRECT_URIS=https://app.example.com/back", "ENVIRONMENT=development",
                ] { #expect(lines.contains { $0 == line }, "\(line)") }
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(deployment.folder)/\(name)")
                #expect(attributes[.posixPermissions] as? Int == 0o600)
                let check = try ChildProcess(
                    "gateway", ["check-configuration", "--env-file", name], folder: deployment.folder)
                #expect(await check.waitForExit() == 0, "\(check.errors)")
            }
            #expect(keys.count == 2)
            for key in keys { #expect(key.utf8.count == "MASTER_KEYS=k1:".utf8.count + 43) }
        }
    }

    @Test("The checks and the addresses for each provider's console")
    func checks() async throws {
        try await withDeployment { deployment in
            let simulator = deployment.environment
            var arguments = Self.address + ["--provider", "amazon"]
            for name in ["AMAZON_CLIENT_IDS", "AMAZON_ENDPOINT", "INSECURE_ALLOW_LOCAL_PROVIDERS"] {
                arguments += ["--set", "\(name)=\(try #require(simulator[name]))"]
            }
            let secret = ["AMAZON_CLIENT_SECRET": "secret-of-amazon"]
            let result = try await Self.run(deployment, arguments, secret)
            #expect(result.exitCode == 0, "\(result.output)\(result.errors)")
            for text in [
                "redirect URI: http://localhost:8080/login/amazon/callback", "  ok       DNS: ",
                "  ok       database: ",
                "  ok       Amazon: ", "AMAZON_CLIENT_SECRET", "The configuration is in order.",
            ] { #expect(result.output.contains(text), "\(text): \(result.output)") }
            #expect(Self.text(deployment)?.contains("AMAZON_CLIENT_SECRET=secret-of-amazon\n") == true)
            #expect(!(result.output + result.errors).contains("secret-of-amazon"))
        }
    }

    @Test("An existing file, even a dangling link, stays as it is")
    func existing() async throws {
        try await withDeployment { deployment in
            let path = "\(deployment.folder)/.env"
            try Data("PORT=1\n".utf8).write(to: URL(filePath: path))
            let result = try await Self.run(deployment, Self.address)
            #expect(result.exitCode == 73 && result.errors.contains(".env already exists."))
            #expect(Self.text(deployment) == "PORT=1\n")
            try FileManager.default.createSymbolicLink(
                atPath: "\(deployment.folder)/link", withDestinationPath: "nowhere")
            #expect(try await Self.run(deployment, Self.address + ["--output", "link"]).exitCode == 73)
            #expect(!FileManager.default.fileExists(atPath: "\(deployment.folder)/nowhere"))
            #expect(try await Self.run(deployment, Self.address + ["--output", "no/folder"]).exitCode == 73)
        }
    }

    @Test(
        "A wrong or missing setting is named, and nothing is written",
        arguments: [
            ([], 78, "PUBLIC_URL: is missing"),
            (["--public-url", "ducks.org"], 78, "PUBLIC_URL: "),
            (["--public-url", "https://login.ducks.org"], 78, "SMTP_HOST: "),
            (["--public-url", "http://localhost:1", "--set", "PROT=80"], 64, "PROT"),
            (["--public-url", "http://localhost:1", "--set", "PORT=x"], 78, "PORT: "),
            (["--public-url", "http://localhost:1", "--set", "SMTP_PASSWORD=x"], 64, "export SMTP_PASSWORD=…"),
            (["--public-url", "http://localhost:1", "--provider", "nowhere"], 78, "OIDC_NOWHERE_ISSUER: "),
            (["--public-url", "http://localhost:1", "--mail-to", "x"], 64, "--mail-to: x is not an e-mail address."),
        ] as [([String], Int, String)])
    func refused(row: (arguments: [String], code: Int, text: String)) async throws {
        try await withDeployment { deployment in
            let result = try await Self.run(deployment, row.arguments)
            #expect(result.exitCode == row.code && result.errors.contains(row.text), "\(result.errors)")
            #expect(Self.text(deployment) == nil)
        }
    }
}
