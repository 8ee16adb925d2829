import JSON
import TestSupport
import Testing

/// `gateway clients`: each option changes only its own member.
@Suite("The command for clients")
struct ClientsCommandTests {
    @Test("F8, F9: a client is made, limited to an audience, disabled and enabled")
    func change() async throws {
        try await withDeployment { deployment in
            let made = try await Self.run(deployment, "create", "ducks", "--provider", "-", "--name", "Ducks")
            #expect(made["type"] == "public" && made["accepted_audiences"] == [:])
            let limited = try await Self.run(
                deployment, "change", "ducks", "--accepted-audience", "apple:org.ducks.app", "--accepted-audience",
                "apple:org.ducks.web")
            #expect(limited["accepted_audiences"] == ["apple": ["org.ducks.app", "org.ducks.web"]])
            let disabled = try await Self.run(deployment, "change", "ducks", "--disable-use", "--yes")
            #expect(disabled["disabled"] == true && disabled["accepted_audiences"] == limited["accepted_audiences"])
            let enabled = try await Self.run(deployment, "change", "ducks", "--enable-use", "--audience", "-")
            #expect(enabled["disabled"] == false && enabled["audiences"] == [])
            let relaxed = try await Self.run(deployment, "change", "ducks", "--refresh-rotation", "relaxed")
            let guests = try await Self.run(deployment, "change", "ducks", "--guests", "true")
            #expect(relaxed["guests"] == false && guests["guests"] == true)
            #expect(enabled["refresh_rotation"] == "always" && relaxed["refresh_rotation"] == "relaxed")
        }
    }

    @Test("the options set everything that an app has, and a dash empties a list")
    func everySetting() async throws {
        try await withDeployment { deployment in
            let made = try await Self.run(
                deployment, "create", "ducks", "--provider", "password", "--provider", "passkey", "--sign-up-name",
                "phone", "--attribute", "company:text!", "--attribute", "size:back_end:number", "--custom-challenge",
                "true",
                "--claims", #"{"attributes": {"company": "org"}}"#)
            #expect(made["providers"] == ["password", "passkey"] && made["sign_up_names"] == ["phone"])
            #expect(made["custom_challenge"] == true && made["claims"]?["attributes"] == ["company": "org"])
            let attributes: JSON = [
                ["name": "company", "kind": "text", "required": true, "writable_by": .null, "shared": false],
                ["name": "size", "kind": "number", "required": false, "writable_by": "back_end", "shared": false],
            ]
            #expect(made["attributes"] == attributes)
            let emptied = try await Self.run(
                deployment, "change", "ducks", "--provider", "-", "--attribute", "-", "--claims", "null")
            #expect(emptied["providers"] == [] && emptied["attributes"] == [] && emptied["claims"] == .null)
            #expect(emptied["sign_up_names"] == ["phone"])
        }
    }

    @Test("the metadata of an API are printed for its server, and where it publishes them")
    func resource() async throws {
        try await withDeployment { deployment in
            let api: JSON = [
                "identifier": "https://files.ducks.org/mcp", "name": "Files", "clients": ["*"],
                "scopes": ["files:write": "Change your files", "files:read": "Read your files"],
            ]
            _ = try await Self.run(
                deployment, "create", "ducks", "--provider", "-", "--openid", JSON.object(["resources": [api]]).text)
            func show(_ identifier: String) async throws -> CommandResult {
                try await deployment.run(
                    "clients", "show", "ducks", "--resource", identifier,
                    changes: ["PUBLIC_URL": "https://login.ducks.org", "ENVIRONMENT": "development"])
            }
            let shown = try await show("https://files.ducks.org/mcp")
            let document: JSON = [
                "resource": "https://files.ducks.org/mcp", "authorization_servers": ["https://login.ducks.org"],
                "resource_name": "Files", "scopes_supported": ["files:read", "files:write"],
                "bearer_methods_supported": ["header"],
                "dpop_signing_alg_values_supported": ["ES256", "PS256", "RS256"],
            ]
            #expect(try JSON(parsing: shown.output) == document, "\(shown)")
            let address = "https://files.ducks.org/.well-known/oauth-protected-resource/mcp"
            #expect(shown.errors == "Serve it at \(address)\n")
            let unknown = try await show("https://files.ducks.org")
            #expect(unknown.exitCode != 0 && unknown.output == "" && unknown.errors.contains("serves no API"))
        }
    }

    @Test("entries are added to and removed from a list, and the command shows the difference")
    func lists() async throws {
        try await withDeployment { deployment in
            let (old, new) = ("https://ducks.org/in", "org.ducks.app:/in")
            _ = try await Self.run(
                deployment, "create", "ducks", "--provider", "password", "--redirect-uri", old, "--accepted-audience",
                "apple:org.ducks.app", "--attribute", "company")
            let changed = try await deployment.run(
                "clients", "change", "ducks", "--add-redirect-uri", new, "--add-redirect-uri", old, "--add-provider",
                "passkey", "--remove-attribute", "company", "--add-accepted-audience", "apple:org.ducks.web")
            #expect(changed.exitCode == 0 && changed.errors == "", "\(changed)")
            let lines = changed.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "~ ducks  changed")
            for line in ["      + \(new)", "      + passkey", "    redirect_uris:"] {
                #expect(lines.contains(line), "\(changed.output)")
            }
            #expect(!changed.output.contains(old))
            let shown = try await Self.run(deployment, "show", "ducks")
            #expect(shown["redirect_uris"] == [.string(old), .string(new)] && shown["attributes"] == [])
            #expect(shown["providers"] == ["password", "passkey"])
            #expect(shown["accepted_audiences"] == ["apple": ["org.ducks.app", "org.ducks.web"]])
            let removed = try await Self.run(deployment, "change", "ducks", "--remove-redirect-uri", old)
            #expect(removed["redirect_uris"] == [.string(new)])
        }
    }

    @Test("the scopes of an app are a list of its OpenID Connect settings")
    func scopes() async throws {
        try await withDeployment { deployment in
            let made = try await Self.run(
                deployment, "create", "ducks", "--provider", "-", "--openid", #"{"pkce_optional": true}"#,
                "--scope", "openid")
            #expect(made["openid"] == ["pkce_optional": true, "scopes": ["openid"]])
            let added = try await Self.run(deployment, "change", "ducks", "--add-scope", "email")
            #expect(added["openid"] == ["pkce_optional": true, "scopes": ["openid", "email"]])
            let removed = try await Self.run(
                deployment, "change", "ducks", "--remove-scope", "openid", "--openid", #"{"pkce_optional": null}"#)
            #expect(removed["openid"] == ["scopes": ["email"]])
            for (words, error) in [
                (["--remove-scope", "email"], "without an entry the list means every scope"),
                (["--add-scope", "emial"], "phone, address or offline_access. Did you mean 'email'?"),
            ] {
                let refused = try await deployment.run(["clients", "change", "ducks"] + words)
                #expect(refused.exitCode == 64 && refused.errors.contains(error), "\(refused)")
            }
            let all = try await Self.run(deployment, "change", "ducks", "--scope", "-")
            #expect(all["openid"] == [:])
        }
    }

    @Test("a list is not left in a state that its command does not name")
    func refusedLists() async throws {
        try await withDeployment { deployment in
            _ = try await Self.run(
                deployment, "create", "ducks", "--provider", "-", "--origin", "https://ducks.org",
                "--accepted-audience", "apple:org.ducks.app")
            for (words, status, error) in [
                (
                    ["--remove-origin", "https://duck.org"], 64,
                    "the list has no https://duck.org. Did you mean 'https://ducks.org'?"
                ),
                (
                    ["--remove-accepted-audience", "apple:org.ducks.app"], 64,
                    "the list means every configured audience"
                ),
                (
                    ["--origin", "https://ducks.org", "--add-origin", "https://geese.org"], 64,
                    "--origin replaces the list"
                ),
                (["--add-audience", "acount"], 64, "choose account or administration. Did you mean 'account'?"),
                (
                    ["--add-redirect-uri", "http:/ducks"], 64,
                    "--redirect-uri (entry 1) is not valid: write https://HOST/PATH"
                ),
            ] {
                let result = try await deployment.run(["clients", "change", "ducks"] + words)
                #expect(result.exitCode == status && result.errors.contains(error), "\(result)")
            }
        }
    }

    @Test("an app that does not exist is named, with the nearest one")
    func unknownApp() async throws {
        try await withDeployment { deployment in
            _ = try await Self.run(deployment, "create", "ducks", "--provider", "-")
            for words in [["show", "ducsk"], ["rehearse-linking", "ducsk"], ["change", "ducsk", "--name", "Ducks"]] {
                let result = try await deployment.run(["clients"] + words)
                let sentence = "There is no app ducsk. Did you mean 'ducks'? See: gateway clients list\n"
                #expect(result.exitCode == 1 && result.errors == sentence, "\(result)")
            }
        }
    }

    @Test("Cognito's API is turned on and off, and a refused value names the option")
    func dialects() async throws {
        try await withDeployment { deployment in
            let app = #"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#
            let made = try await Self.run(deployment, "create", "ducks", "--provider", "-", "--dialects", app)
            let stored: JSON = [
                "cognito": [
                    "pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example", "reveals_users": false,
                    "remembers_devices": "never", "strict_pkce": false,
                ]
            ]
            #expect(made["dialects"] == stored)
            _ = try await Self.run(deployment, "create", "geese", "--provider", "-")
            let server = try await deployment.run("clients", "create", "server", "--provider", "-", "--confidential")
            #expect(server.exitCode == 0, "\(server.errors)")
            for (client, value, error) in [
                ("geese", "{", "--dialects is no valid JSON. Write an object such as {\"cognito\": {"),
                ("geese", #"{"cognito": {"pool_id": "x"}}"#, "--dialects (cognito, pool_id) is not valid."),
                ("geese", app, "--dialects (cognito, client_id) is taken already."),
                (
                    "server", app.replacing("4example", with: "5example"),
                    "--dialects (cognito) needs a sealed secret first. Run: gateway clients replace-secret APP --sealed"
                ),
            ] {
                let result = try await deployment.run("clients", "change", client, "--dialects", value)
                #expect(result.exitCode != 0 && result.errors.contains(error), "\(result.errors)")
            }
            #expect(try await Self.run(deployment, "change", "ducks", "--dialects", "{}")["dialects"] == [:])
        }
    }

    @Test("3-C11: a setting inside a dialect that a command does not name stays, and null resets it")
    func settingsOfDialects() async throws {
        try await withDeployment { deployment in
            let app = #"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#
            let made = try await Self.run(deployment, "create", "ducks", "--provider", "-", "--dialects", app)
            var expected = try #require(made["dialects"]?["cognito"]?.object)
            for (text, changed) in [
                (#"{"cognito": {"remembers_devices": "always"}}"#, ["remembers_devices": "always"]),
                (
                    #"{"cognito": {"reveals_users": true, "strict_pkce": true}}"#,
                    [
                        "reveals_users": true, "strict_pkce": true,
                    ]
                ),
                (app.replacing("4example", with: "5example"), ["client_id": "5example"]),
                (#"{"cognito": {"remembers_devices": null}}"#, ["remembers_devices": "never"]),
            ] as [(String, JSONObject)] {
                for member in changed.members { expected[member.name] = member.value }
                let after = try await Self.run(deployment, "change", "ducks", "--dialects", text)
                #expect(after["dialects"] == ["cognito": .object(expected)], "\(text)")
            }
        }
    }

    @Test("native authentication is turned on and off, and a refused value names the option")
    func nativeAuthentication() async throws {
        try await withDeployment { deployment in
            let tenant = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"
            let app = #"{"native_auth": {"tenant_id": "\#(tenant)", "application_id": "0F1E-2D3C"}}"#
            let made = try await Self.run(deployment, "create", "ducks", "--provider", "-", "--dialects", app)
            let stored: JSON = [
                "native_auth": [
                    "tenant_id": .string(tenant), "application_id": "0f1e-2d3c", "reveals_users": false,
                ]
            ]
            #expect(made["dialects"] == stored)
            _ = try await Self.run(deployment, "create", "geese", "--provider", "-")
            for (value, error) in [
                (#"{"native_auth": {"tenant_id": "contoso"}}"#, "--dialects (native_auth, tenant_id) is not valid."),
                (app, "--dialects (native_auth, application_id) is taken already."),
            ] {
                let result = try await deployment.run("clients", "change", "geese", "--dialects", value)
                #expect(result.exitCode == 64 && result.errors.contains(error), "\(result.errors)")
            }
            #expect(try await Self.run(deployment, "change", "ducks", "--dialects", "{}")["dialects"] == [:])
        }
    }

    @Test("the next secret of a confidential app with Cognito's API is sealed")
    func sealedSecret() async throws {
        try await withDeployment { deployment in
            let app = #"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#
            let made = try await deployment.run(
                "clients", "create", "server", "--provider", "-", "--confidential", "--dialects", app)
            #expect(made.exitCode == 0, "\(made.errors)")
            #expect(try await Self.run(deployment, "show", "server")["secret_kept"] == "sealed")
            let refused = try await deployment.run("clients", "replace-secret", "server", "--yes")
            #expect(refused.exitCode == 64 && refused.errors.contains("Run the command with --sealed"), "\(refused)")
            let replaced = try await deployment.run(
                "clients", "replace-secret", "server", "--sealed", "--yes", "--json")
            #expect(try replaced.secret().count > 40, "\(replaced)")
        }
    }

    @Test("an app is not made without its sign-in methods, and an unreadable option is named")
    func unreadable() async throws {
        try await withDeployment { deployment in
            for (words, error) in [
                ([], "--provider is missing."),
                (["--provider", "-", "--attribute", "Shoe"], "--attribute Shoe: can't be read."),
                (["--provider", "-", "--claims", "{"], "--claims is no valid JSON."),
            ] as [([String], String)] {
                let result = try await deployment.run(["clients", "create", "ducks"] + words)
                #expect(result.exitCode != 0 && result.errors.contains(error), "\(result.errors)")
            }
            #expect(try await deployment.run("clients", "list").output == "")
        }
    }

    @Test("F9: an audience without its provider is refused, and the option's member named")
    func withoutProvider() async throws {
        try await withDeployment { deployment in
            _ = try await Self.run(deployment, "create", "ducks", "--provider", "-")
            let result = try await deployment.run("clients", "change", "ducks", "--accepted-audience", "org.ducks.app")
            #expect(result.exitCode == 64)
            #expect(result.errors.contains("--accepted-audience (org.ducks.app) is not valid."), "\(result.errors)")
        }
    }

    @Test(
        "F9: a provider that is not configured is refused, and named with its member", arguments: ["create", "change"])
    func unknownProvider(command: String) async throws {
        try await withDeployment { deployment in
            if command == "change" { _ = try await Self.run(deployment, "create", "ducks", "--provider", "-") }
            let result = try await deployment.run(
                "clients", command, "ducks", "--provider", "-", "--accepted-audience", "aple:org.ducks.app")
            #expect(result.exitCode == 64)
            #expect(
                result.errors.contains("--accepted-audience (aple) names a provider that is not configured."),
                "\(result.errors)")
            let shown = try await deployment.run("clients", "show", "ducks")
            #expect(command == "create" ? shown.exitCode == 1 : shown.output.contains("accepted_audiences\t-\n"))
        }
    }

    /// - Returns: the client in the command's output.
    private static func run(_ deployment: Deployment, _ words: String...) async throws -> JSON {
        let result = try await deployment.run(["clients"] + words + ["--json"])
        try #require(result.exitCode == 0, "\(words): \(result.errors)")
        return try JSON(parsing: result.output)
    }
}
