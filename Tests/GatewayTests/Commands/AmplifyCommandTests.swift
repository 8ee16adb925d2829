import Clients
import Foundation
import JSON
import TestSupport
import Testing

@testable import Commands

/// `gateway clients show --amplify-…` and `convert-amplify`.
@Suite("The commands for Amplify's configuration")
struct AmplifyCommandTests {
    private static let public_ = ["PUBLIC_URL": "https://login.ducks.org", "ENVIRONMENT": "development"]
    private static let dialects = #"{"cognito": {"pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"}}"#

    /// The file of the first generation, with or without hosted sign-in.
    private static func firstGeneration(_ oauth: JSON? = nil) -> JSON {
        var auth: JSONObject = ["authenticationFlowType": "USER_SRP_AUTH"]
        auth["OAuth"] = oauth
        let pool: JSON = [
            "PoolId": "eu-central-1_Abc123XYZ", "AppClientId": "4example", "Region": "eu-central-1",
            "Endpoint": "login.ducks.org",
        ]
        let plugin: JSON = ["CognitoUserPool": ["Default": pool], "Auth": ["Default": .object(auth)]]
        return [
            "UserAgent": "aws-amplify-cli/2.0", "Version": "1.0", "auth": ["plugins": ["awsCognitoAuthPlugin": plugin]],
        ]
    }

    @Test("an app's configuration has its ids and the address of the gateway in each form")
    func forms() async throws {
        try await withDeployment { deployment in
            try await Self.make("ducks", deployment)
            let config = try await Self.show("ducks", "--amplify-config", deployment)
            #expect(try JSON(parsing: config.output) == Self.firstGeneration() && config.errors == "", "\(config)")
            let script = try await Self.show("ducks", "--amplify-js", deployment)
            let cognito: JSON = [
                "userPoolId": "eu-central-1_Abc123XYZ", "userPoolClientId": "4example",
                "userPoolEndpoint": "https://login.ducks.org",
            ]
            #expect(try JSON(parsing: script.output) == ["Auth": ["Cognito": cognito]] && script.errors == "")
            let outputs = try await Self.show("ducks", "--amplify-outputs", deployment)
            let auth: JSON = [
                "aws_region": "eu-central-1", "user_pool_id": "eu-central-1_Abc123XYZ",
                "user_pool_client_id": "4example",
            ]
            #expect(try JSON(parsing: outputs.output) == ["version": "1", "auth": auth])
            #expect(outputs.errors.contains("In Swift use --amplify-config instead."), "\(outputs.errors)")
            #expect(try AmplifyOutputs(text: outputs.output).configuration.app.clientID == "4example")
        }
    }

    @Test("3-C8: the hosted pages of an app are in each form, with its redirect addresses and providers")
    func hosted() async throws {
        try await withDeployment { deployment in
            try await Self.make(
                "ducks", deployment, "--provider", "apple", "--redirect-uri", "https://ducks.org/in", "--redirect-uri",
                "org.ducks.app:/in")
            let config = try JSON(parsing: try await Self.show("ducks", "--amplify-config", deployment).output)
            let scopes: JSON = ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin"]
            let oauth: JSON = [
                "WebDomain": "login.ducks.org", "AppClientId": "4example", "SignInRedirectURI": "org.ducks.app:/in",
                "SignOutRedirectURI": "org.ducks.app:/in", "Scopes": scopes,
            ]
            #expect(config == Self.firstGeneration(oauth), "\(config.text)")
            let script = try JSON(parsing: try await Self.show("ducks", "--amplify-js", deployment).output)
            let both: JSON = ["https://ducks.org/in", "org.ducks.app:/in"]
            let login: JSON = [
                "oauth": [
                    "domain": "login.ducks.org", "scopes": scopes, "redirectSignIn": both, "redirectSignOut": both,
                    "responseType": "code",
                ]
            ]
            #expect(script["Auth"]?["Cognito"]?["loginWith"] == login, "\(script.text)")
            let outputs = try await Self.show("ducks", "--amplify-outputs", deployment).output
            let file = try JSON(parsing: outputs)["auth"]?["oauth"]
            #expect(file?["identity_providers"] == ["SIGN_IN_WITH_APPLE"] && file?["redirect_sign_in_uri"] == both)
            #expect(try AmplifyOutputs(text: outputs).configuration.hostedSignIn?.scopes.count == 5)
        }
    }

    @Test(
        "3-C8: a file of each version 1.x is converted, and no other",
        arguments: [("1", true), ("1.4", true), ("10", false), ("2.1", false)])
    func versions(version: String, isTaken: Bool) {
        var file = Self.outputs
        file["version"] = .string(version)
        #expect(((try? AmplifyOutputs(text: JSON.object(file).text)) != nil) == isTaken)
    }

    @Test("a missing dialect, an unsuitable address and two forms are refused with the remedy")
    func refused() async throws {
        try await withDeployment { deployment in
            _ = try await deployment.run("clients", "create", "geese", "--provider", "-")
            let without = try await Self.show("geese", "--amplify-js", deployment)
            #expect(without.exitCode == 1 && without.output == "")
            #expect(without.errors.contains("Run: gateway clients change geese --dialects '{\"cognito\": {"))
            try await Self.make("ducks", deployment)
            for address in ["https://login.ducks.org:8443", "http://localhost:8080"] {
                let changes = ["PUBLIC_URL": address, "ENVIRONMENT": "development"]
                let config = try await deployment.run(
                    "clients", "show", "ducks", "--amplify-config", changes: changes)
                #expect(config.exitCode == 1 && config.output == "")
                #expect(config.errors.contains("PUBLIC_URL is \(address). Set it to an address such as"))
                let script = try await deployment.run("clients", "show", "ducks", "--amplify-js", changes: changes)
                #expect(script.exitCode == 0 && script.output.contains("\"userPoolEndpoint\": \"\(address)\""))
            }
            let both = try await deployment.run("clients", "show", "ducks", "--amplify-js", "--amplify-config")
            #expect(both.exitCode == 64, "\(both)")
        }
    }

    @Test("a confidential app's configuration has no secret, and says so")
    func confidential() async throws {
        try await withDeployment { deployment in
            let made = try await Self.make("server", deployment, "--confidential", "--json")
            let config = try await Self.show("server", "--amplify-config", deployment)
            #expect(try JSON(parsing: config.output) == Self.firstGeneration())
            #expect(config.errors.contains("add its secret as AppClientSecret"))
            let secret = try made.secret()
            #expect(!config.output.contains(secret) && !config.errors.contains(secret))
        }
    }

    @Test(
        "only a bare host name with https on port 443 is an endpoint",
        arguments: [
            ("https://login.ducks.org", true), ("https://login.ducks.org:8443", false),
            ("https://192.0.2.7", false), ("https://[2001:db8::7]", false), ("http://login.ducks.org", false),
            ("https://localhost", false), ("https://login.ducks.org/auth", false), ("nonsense", false),
        ])
    func host(address: String, isOne: Bool) {
        #expect((try? AmplifyConfiguration.host(of: address)) == (isOne ? "login.ducks.org" : nil))
    }

    /// A file as Amplify writes it, with more members than the gateway needs.
    private static let outputs: JSONObject = [
        "version": "1", "storage": ["bucket_name": "photos"],
        "auth": [
            "aws_region": "eu-central-1", "user_pool_id": "eu-central-1_Abc123XYZ", "user_pool_client_id": "4example",
            "identity_pool_id": "eu-central-1:1", "mfa_methods": ["TOTP"],
            "oauth": [
                "identity_providers": ["GOOGLE"], "domain": "ducks.auth.eu-central-1.amazoncognito.com",
                "scopes": ["openid", "profile"], "redirect_sign_in_uri": ["ducks://in/", "https://ducks.org/in"],
                "redirect_sign_out_uri": ["ducks://out/"], "response_type": "code",
            ],
        ],
    ]

    /// The file with some members of `auth` replaced; null removes one.
    private static func outputs(with members: JSONObject) -> String {
        var (file, auth) = (outputs, outputs["auth"]?.object ?? [:])
        for member in members.members { auth[member.name] = member.value.isNull ? nil : member.value }
        file["auth"] = .object(auth)
        return JSON.object(file).text
    }

    @Test("a file is converted with its hosted sign-in, and members without a counterpart are named")
    func convert() async throws {
        try await withDeployment { deployment in
            let result = try await Self.convert(Self.outputs(with: [:]), deployment)
            let oauth: JSON = [
                "WebDomain": "login.ducks.org", "AppClientId": "4example", "SignInRedirectURI": "ducks://in/",
                "SignOutRedirectURI": "ducks://out/", "Scopes": ["openid", "profile"],
            ]
            #expect(try JSON(parsing: result.output) == Self.firstGeneration(oauth))
            #expect(result.errors == "Left out, without a counterpart: storage, auth.identity_pool_id.\n")
            let plain = try await Self.convert(
                #"{"version": "1", "auth": {"aws_region": "eu-central-1", "user_pool_id": "eu-central-1_Abc123XYZ", "user_pool_client_id": "4example"}}"#,
                deployment)
            #expect(try JSON(parsing: plain.output) == Self.firstGeneration() && plain.errors == "")
            let local = try await Self.convert(
                Self.outputs(with: [:]), deployment, changes: ["PUBLIC_URL": "http://localhost:8080"])
            #expect(local.exitCode == 1 && local.output == "" && local.errors.contains("PUBLIC_URL is"))
        }
    }

    @Test("a missing or unreadable file is bad data, and named")
    func unreadable() async throws {
        try await withDeployment { deployment in
            let missing = try await deployment.run("clients", "convert-amplify", "none.json", changes: Self.public_)
            #expect(missing.exitCode == 65 && missing.errors.contains("none.json can't be read"), "\(missing)")
            let broken = try await Self.convert("{", deployment)
            #expect(broken.exitCode == 65 && broken.output == "")
            #expect(broken.errors.contains("amplify_outputs.json: This is no valid JSON object."), "\(broken)")
        }
    }

    /// A file, and the error that it gives.
    static let faults: [(text: String, error: String)] = [
        ("[]", "This is no valid JSON object."), (#"{"version": "2"}"#, "version is not \"1\" or \"1.x\"."),
        (#"{"version": "1"}"#, "auth is missing."),
        (outputs(with: ["user_pool_id": .null]), "auth.user_pool_id is missing or not valid."),
        (outputs(with: ["user_pool_id": "eu-central-1"]), "auth.user_pool_id is missing or not valid."),
        (outputs(with: ["user_pool_client_id": 4]), "auth.user_pool_client_id is missing or not valid."),
        (outputs(with: ["aws_region": "eu-west-1"]), "auth.aws_region is not the region of auth.user_pool_id."),
        (outputs(with: ["oauth": ["redirect_sign_in_uri": []]]), "auth.oauth needs redirect_sign_in_uri"),
        (
            outputs(with: [
                "oauth": [
                    "redirect_sign_in_uri": ["a:"], "redirect_sign_out_uri": ["a:"], "scopes": [],
                    "response_type": "token",
                ]
            ]), "auth.oauth.response_type is not \"code\""
        ),
    ]

    @Test("a faulty member is named", arguments: faults)
    func faulty(text: String, error: String) {
        let failure = #expect(throws: Failure.self) { try AmplifyOutputs(text: text) }
        #expect(failure?.description.contains(error) == true, "\(failure?.description ?? "")")
    }

    // MARK: Helpers

    @discardableResult
    private static func make(_ id: String, _ deployment: Deployment, _ more: String...) async throws -> CommandResult {
        let words = ["clients", "create", id, "--provider", "-", "--dialects", dialects]
        let result = try await deployment.run(words + more)
        try #require(result.exitCode == 0, "\(result.errors)")
        return result
    }

    private static func show(_ id: String, _ form: String, _ deployment: Deployment) async throws -> CommandResult {
        try await deployment.run("clients", "show", id, form, changes: public_)
    }

    private static func convert(
        _ text: String, _ deployment: Deployment, changes: [String: String] = [:]
    ) async throws -> CommandResult {
        let path = "\(deployment.folder)/amplify_outputs.json"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return try await deployment.run(
            "clients", "convert-amplify", path, changes: public_.merging(changes) { $1 })
    }
}
