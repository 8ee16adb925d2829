import JSON
import Testing

@testable import Clients
@testable import OperatorAccess

/// The protocols of other vendors that an app speaks, as operators set them.
@Suite("The dialects of clients")
struct ClientDialectTests {
    private static func cognito(
        pool: JSON = "eu-central-1_Abc123XYZ", client: JSON = "4example", reveals: JSON = false
    ) -> JSONObject {
        ["dialects": ["cognito": ["pool_id": pool, "client_id": client, "reveals_users": reveals]]]
    }

    /// Invalid dialects, the field of the error and its reason.
    static let faults: [(sent: JSON, pointer: String, reason: String)] = [
        (.null, "", "must_be_object"), ("cognito", "", "must_be_object"), (["msal": [:]], "/msal", "unknown_member"),
        (["cognito": true], "/cognito", "must_be_object"), (["cognito": [:]], "/cognito/pool_id", "required"),
        (["cognito": ["pool_id": "eu-central-1_A"]], "/cognito/client_id", "required"),
        (["cognito": ["pool_id": "eu-central-1_A", "client_id": .null]], "/cognito/client_id", "required"),
        (
            ["cognito": ["pool_id": "eu-central-1_A", "client_id": "a", "secret": "b"]], "/cognito/secret",
            "unknown_member"
        ),
        (["native_auth": []], "/native_auth", "must_be_object"),
        (["native_auth": ["application_id": "a"]], "/native_auth/tenant_id", "required"),
        (["native_auth": ["tenant_id": .string(tenant)]], "/native_auth/application_id", "required"),
        (native(tenant: "contoso")["dialects"] ?? .null, "/native_auth/tenant_id", "malformed"),
        (native(tenant: 1)["dialects"] ?? .null, "/native_auth/tenant_id", "must_be_text"),
        (native(application: "a_b")["dialects"] ?? .null, "/native_auth/application_id", "malformed"),
        (native(application: "")["dialects"] ?? .null, "/native_auth/application_id", "malformed"),
        (
            native(application: .string(String(repeating: "a", count: 65)))["dialects"] ?? .null,
            "/native_auth/application_id", "malformed"
        ),
        (native(reveals: "no")["dialects"] ?? .null, "/native_auth/reveals_users", "must_be_boolean"),
        (
            ["native_auth": ["tenant_id": .string(tenant), "application_id": "a", "secret": "b"]],
            "/native_auth/secret", "unknown_member"
        ),
    ]

    private static let tenant = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"

    private static func native(
        tenant: JSON = .string(tenant), name: JSON = "contoso.onmicrosoft.com", application: JSON = "0f1e-2d3c",
        reveals: JSON = false
    ) -> JSONObject {
        [
            "dialects": [
                "native_auth": [
                    "tenant_id": tenant, "tenant_name": name, "application_id": application, "reveals_users": reveals,
                ]
            ]
        ]
    }

    @Test("a dialect's fault is named by its place", arguments: faults)
    func faulty(sent: JSON, pointer: String, reason: String) {
        let refusal = #expect(throws: AdminRefusal.self) { try ClientChange(["dialects": sent]) }
        #expect(refusal?.fault == .invalidMember(pointer: "/dialects\(pointer)", reason: reason))
        #expect(refusal?.accepted.isEmpty == (reason != "unknown_member"))
    }

    @Test(
        "a pool id is a region, one underscore, letters and digits",
        arguments: [
            "eu-central-1", "EU_x", "eu-central-1_a_b", "eu-central-1_", "_abc", "eu-central_abc", "EU-CENTRAL-1_abc",
            "eu-central-1_a-b", "eu-central-1_\u{e4}", "", "eu-central-1_" + String(repeating: "a", count: 43),
        ])
    func poolID(text: String) throws {
        let refusal = AdminRefusal.invalidMember(pointer: "/dialects/cognito/pool_id", reason: "malformed")
        #expect(throws: refusal) { try ClientChange(Self.cognito(pool: .string(text))) }
        for pool in ["us-gov-west-1_A", "eu-central-1_" + String(repeating: "a", count: 42)] {
            #expect(throws: Never.self) { try ClientChange(Self.cognito(pool: .string(pool))) }
        }
    }

    @Test(
        "an app client's id has letters, digits, _ and +",
        arguments: ["4-example", "", "a b", "\u{e4}", String(repeating: "a", count: 129)])
    func clientID(text: String) throws {
        let refusal = AdminRefusal.invalidMember(pointer: "/dialects/cognito/client_id", reason: "malformed")
        #expect(throws: refusal) { try ClientChange(Self.cognito(client: .string(text))) }
        #expect(throws: Never.self) {
            try ClientChange(Self.cognito(client: .string("_+" + String(repeating: "a", count: 126))))
        }
    }

    @Test(
        "audiences are up to twenty words of visible ASCII",
        arguments: [
            #"a"b"#, #"a\b"#, "\u{e4}", "a\tb", String(repeating: "a", count: 257),
            Array(repeating: "a", count: 21).joined(separator: " "),
        ])
    func audiences(text: String) throws {
        func sent(_ audiences: String) -> JSONObject {
            var app = Self.cognito()["dialects"]?["cognito"]?.object ?? [:]
            app["exchange_audiences"] = .string(audiences)
            return ["dialects": ["cognito": .object(app)]]
        }
        let refusal = AdminRefusal.invalidMember(pointer: "/dialects/cognito/exchange_audiences", reason: "malformed")
        #expect(throws: refusal) { try ClientChange(sent(text)) }
        for audiences in ["", "https://stock.example.com/v1 orders", String(repeating: "a", count: 256)] {
            #expect(throws: Never.self) { try ClientChange(sent(audiences)) }
        }
    }

    @Test("other types are refused, and a second fault is found with the first")
    func types() {
        for (sent, member, reason) in [
            (Self.cognito(pool: 1), "pool_id", "must_be_text"), (Self.cognito(client: []), "client_id", "must_be_text"),
            (Self.cognito(reveals: "no"), "reveals_users", "must_be_boolean"),
        ] {
            #expect(throws: AdminRefusal.invalidMember(pointer: "/dialects/cognito/\(member)", reason: reason)) {
                try ClientChange(sent)
            }
        }
        let faults = ClientDialects.faults(in: ["cognito": ["pool_id": "x", "client_id": "-"]])
        #expect(faults.map(\.pointer) == ["/cognito/pool_id", "/cognito/client_id"])
    }

    /// The settings with the default that the request omits.
    private static func stored(_ dialects: JSON) -> JSON {
        var app = dialects["cognito"]?.object ?? [:]
        (app["remembers_devices"], app["strict_pkce"]) = ("never", false)
        return ["cognito": .object(app)]
    }

    @Test("a dialect is stored with its default, served, and turned off by null or an empty object")
    func life() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people, "ducks")
            let app: JSONObject = ["pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example"]
            let stored = Self.stored(try #require(Self.cognito()["dialects"]))
            for off: JSON in [[:], ["cognito": .null]] {
                #expect(try await change(["dialects": ["cognito": .object(app)]])["dialects"] == stored)
                #expect(try await people.client("ducks")?.dialects.cognito?.clientID == "4example")
                #expect(try await change(["dialects": off])["dialects"] == [:])
                #expect(try await people.client("ducks")?.dialects.cognito == nil)
            }
            func change(_ members: JSONObject) async throws -> JSON {
                try await desk.change("ducks", ClientChange(members), because: People.reason, by: People.commandLine)
            }
        }
    }

    @Test(
        "a tenant's name is a domain name with a dot",
        arguments: [
            "contoso", "", "a b.example", ".example", "a..example", String(repeating: "a", count: 250) + ".example",
        ])
    func tenantName(text: String) throws {
        let refusal = AdminRefusal.invalidMember(pointer: "/dialects/native_auth/tenant_name", reason: "malformed")
        #expect(throws: refusal) { try ClientChange(Self.native(name: .string(text))) }
        #expect(throws: Never.self) { try ClientChange(Self.native(name: "login-1.contoso.example")) }
    }

    @Test("native authentication is stored in lower case, served beside another dialect, and turned off alone")
    func nativeLife() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people, "ducks")
            let app: JSON = ["tenant_id": .string(Self.tenant.uppercased()), "application_id": "0F1E-2D3C"]
            let pool = Self.cognito()["dialects"]?["cognito"] ?? .null
            let both = try await Self.change("ducks", ["dialects": ["native_auth": app, "cognito": pool]], desk)
            let stored: JSON = [
                "tenant_id": .string(Self.tenant), "application_id": "0f1e-2d3c", "reveals_users": false,
            ]
            let kept = Self.stored(["cognito": pool])["cognito"] ?? .null
            #expect(both["dialects"] == ["cognito": kept, "native_auth": stored])
            let served = try #require(try await people.client("ducks")?.dialects)
            #expect(served.nativeAuth == NativeAuthApp(tenantID: Self.tenant, applicationID: "0f1e-2d3c"))
            #expect(served.cognito?.clientID == "4example")
            let one = try await Self.change("ducks", ["dialects": ["native_auth": .null, "cognito": pool]], desk)
            #expect(one["dialects"] == ["cognito": kept])
            #expect(try await people.client("ducks")?.dialects.nativeAuth == nil)
        }
    }

    @Test("two apps can't have the same application id, in any case of letters, but the same tenant")
    func nativeTaken() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people, "ducks", "geese")
            _ = try await Self.change("ducks", Self.native(), desk)
            let refusal = AdminRefusal.invalidMember(pointer: "/dialects/native_auth/application_id", reason: "taken")
            await #expect(throws: refusal) {
                try await Self.change("geese", Self.native(application: "0F1E-2D3C"), desk)
            }
            let other = try await Self.change("geese", Self.native(application: "1f1e"), desk)
            #expect(other["dialects"]?["native_auth"]?["tenant_name"] == "contoso.onmicrosoft.com")
            let changed = try await Self.change("ducks", Self.native(reveals: true), desk)
            #expect(changed["dialects"]?["native_auth"]?["reveals_users"] == true)
        }
    }

    @Test("a confidential app keeps the digest of its secret for native authentication")
    func nativeSecret() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people)
            let made = try await desk.create(
                "server", ClientChange(["providers": []]), isConfidential: true, because: People.reason,
                by: People.commandLine)
            #expect(made.client["secret_kept"] == "digest")
            let changed = try await Self.change("server", Self.native(), desk)
            #expect(changed["dialects"]?["native_auth"] != nil && changed["secret_kept"] == "digest")
        }
    }

    @Test("two apps can't have the same app client's id, but the same pool")
    func taken() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people, "ducks", "geese")
            _ = try await Self.change("ducks", Self.cognito(), desk)
            let refusal = AdminRefusal.invalidMember(pointer: "/dialects/cognito/client_id", reason: "taken")
            await #expect(throws: refusal) { try await Self.change("geese", Self.cognito(), desk) }
            let other = try await Self.change("geese", Self.cognito(client: "5example"), desk)
            #expect(other["dialects"]?["cognito"]?["pool_id"] == "eu-central-1_Abc123XYZ")
            // An app keeps its own id.
            let changed = try await Self.change("ducks", Self.cognito(reveals: true), desk)
            #expect(changed["dialects"]?["cognito"]?["reveals_users"] == true)
        }
    }

    @Test("an app for administration speaks no dialect, and the permission takes it away")
    func administration() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people, "ducks")
            _ = try await Self.change("ducks", Self.cognito(), desk)
            let trusted = try await Self.change("ducks", ["audiences": ["administration"]], desk)
            #expect(trusted["dialects"] == [:])
            let refusal = AdminRefusal.invalidMember(pointer: "/dialects", reason: "not_for_administration")
            await #expect(throws: refusal) { try await Self.change("ducks", Self.cognito(), desk) }
        }
    }

    @Test("a confidential app needs a sealed secret for it, and keeps one")
    func sealedSecret() async throws {
        try await withPeople { people in
            let desk = try await Self.desk(people)
            func replace(_ kept: ClientSecret.Storage) async throws -> JSON {
                try await desk.replaceSecret("ducks", kept: kept, because: People.reason, by: People.commandLine).client
            }
            _ = try await desk.create(
                "ducks", ClientChange(["providers": []]), isConfidential: true, because: People.reason,
                by: People.commandLine)
            let refusal = AdminRefusal.invalidMember(pointer: "/dialects/cognito", reason: "needs_a_sealed_secret")
            await #expect(throws: refusal) { try await Self.change("ducks", Self.cognito(), desk) }
            _ = try await replace(.sealed)
            _ = try await Self.change("ducks", Self.cognito(), desk)
            let digest = AdminRefusal.invalidMember(pointer: "/kept", reason: "must_be_sealed")
            await #expect(throws: digest) { try await replace(.digest) }
            // A public app's secret is its back end's: the dialect does not use it.
            _ = try await Self.change("ducks", ["type": "public"], desk)
            #expect(try await replace(.digest)["secret_kept"] == "digest")
            await #expect(throws: refusal) { try await Self.change("ducks", ["type": "confidential"], desk) }
        }
    }

    /// - Parameter clients: the ids of new public clients.
    private static func desk(_ people: People, _ clients: String...) async throws -> ClientDesk {
        let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: [])
        for id in clients {
            _ = try await desk.create(
                id, ClientChange(["providers": []]), isConfidential: false, because: People.reason,
                by: People.commandLine)
        }
        return desk
    }

    @discardableResult
    private static func change(_ id: String, _ members: JSONObject, _ desk: ClientDesk) async throws -> JSON {
        try await desk.change(id, ClientChange(members), because: People.reason, by: People.commandLine)
    }
}
