import Foundation
import JSON
import TestSupport
import Testing

@testable import Commands

/// `gateway clients apply` and `export`.
@Suite("The command for a file of clients")
struct ClientsApplyTests {
    private static let file = """
        # Our apps.
        clients:
          - id: ducks
            name: "Ducks"
            providers: [password]
            redirect_uris: [https://ducks.org/in]
            second_factor: required
            dialects:
              cognito: {pool_id: eu-central-1_Abc123XYZ, client_id: "012345"}
              native_auth: {tenant_id: 6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0, application_id: "01234567"}
          - {id: geese, providers: [], attributes: [{name: pond}]}
        """

    @Test("A file is applied, exported, and changes nothing the second time")
    func apply() async throws {
        try await withDeployment { deployment in
            let dry = try await Self.apply(Self.file, deployment, "--dry-run")
            #expect(dry.exitCode == 0 && dry.output.contains("+ ducks  new\n    name: Ducks\n"), "\(dry)")
            #expect(dry.output.hasSuffix("Dry run: 2 new, 0 changed, 0 unchanged. Nothing has changed.\n"))
            #expect(try await deployment.run("clients", "show", "ducks").exitCode == 1)
            let made = try await Self.apply(Self.file, deployment)
            #expect(made.exitCode == 0 && made.output.hasSuffix("2 new, 0 changed, 0 unchanged.\n"))
            let exported = try await deployment.run("clients", "export")
            #expect(exported.output.contains("client_id: \"012345\"\n"), "\(exported.output)")
            #expect(exported.output.contains("application_id: \"01234567\"\n"), "\(exported.output)")
            let again = try await Self.apply(exported.output, deployment)
            #expect(
                again.output == "= ducks  unchanged\n= geese  unchanged\n0 new, 0 changed, 2 unchanged.\n", "\(again)")
        }
    }

    @Test("A changed file shows each difference")
    func difference() async throws {
        try await withDeployment { deployment in
            _ = try await Self.apply(Self.file, deployment)
            let changed = """
                {"clients": [{"id": "ducks", "providers": ["password"], "redirect_uris": ["https://ducks.org/app"],
                  "dialects": {"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "012345"},
                    "native_auth": {"tenant_id": "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0", "application_id": "01234567"}}}]}
                """
            let result = try await Self.apply(changed, deployment)
            #expect(
                result.output == """
                    ~ ducks  changed
                        name: Ducks → ducks
                        redirect_uris:
                          - https://ducks.org/in
                          + https://ducks.org/app
                        second_factor: required → optional
                    ? geese  not in the file, unchanged
                    0 new, 1 changed, 0 unchanged.

                    """)
        }
    }

    /// A faulty file, the exit status, and a part of the error.
    static let faults: [(String, Int, String)] = [
        ("clients:\n  - id: ducks\n    orgins: []\n", 1, "clients/0/orgins (line 3, column 13): unknown_member."),
        (
            "clients:\n  - id: ducks\n    providers: [apple,\n      aple]\n", 1,
            "App ducks: clients/0/providers/1 (line 4, column 7): unknown_provider."
        ),
        (
            "clients:\n  - id: ducks\n    providers: []\n    dialects:\n      cognito: {pool_id: eu-central-1}\n", 1,
            "clients/0/dialects/cognito/pool_id (line 5, column 26): malformed."
        ),
        ("clients: [\n", 65, "is no valid YAML: 2:1"),
        ("{\n\"clients\": [}", 65, "is no valid JSON: unexpectedByte, line 2"),
        ("", 65, "is empty"), ("clients:\n  - {id: a, id: b}\n", 65, "duplicated key(s): 'id'"),
    ]

    @Test("A faulty file changes nothing; the error names the line", arguments: faults)
    func fault(text: String, status: Int, error: String) async throws {
        try await withDeployment { deployment in
            let result = try await Self.apply(text, deployment)
            #expect(result.exitCode == status && result.errors.contains(error), "\(result)")
            #expect(try await deployment.run("clients", "list").output == "")
        }
    }

    @Test("A missing file is named")
    func missing() async throws {
        try await withDeployment { deployment in
            let result = try await deployment.run("clients", "apply", "none.yaml")
            #expect(result.exitCode == 65 && result.errors.contains("none.yaml can't be read"))
        }
    }

    @Test("A new confidential app's secret is printed once, and never in a dry run")
    func secret() async throws {
        try await withDeployment { deployment in
            let file = "clients:\n  - {id: server, providers: [], type: confidential}\n"
            let dry = try await Self.apply(file, deployment, "--dry-run")
            let made = try await Self.apply(file, deployment)
            let again = try await Self.apply(file, deployment)
            #expect(made.output.contains("Secret of server, shown once: "))
            #expect(![dry, again].contains { $0.output.contains("Secret") })
        }
    }

    @Test("YAML texts that look like other types are quoted in an export")
    func quoting() throws {
        let text = try ClientFile.yaml([["id": "no", "name": "12", "origins": []]])
        #expect(try ClientFile(text: text).json == ["clients": [["id": "no", "name": "12", "origins": []]]])
    }

    @Test("Aliases that multiply are refused")
    func aliases() {
        let levels = (1...9).map { level in
            "l\(level): &l\(level) [\(Array(repeating: "*l\(level - 1)", count: 9).joined(separator: ", "))]"
        }
        let text = (["l0: &l0 [x]"] + levels).joined(separator: "\n")
        let error = #expect(throws: Failure.self) { try ClientFile(text: text) }
        #expect(error?.description == "has too many values, or aliases that repeat them.")
    }

    private static func apply(
        _ text: String, _ deployment: Deployment, _ words: String...
    ) async throws -> CommandResult {
        let path = "\(deployment.folder)/clients.yaml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try await deployment.run(["clients", "apply", path] + words)
    }
}
