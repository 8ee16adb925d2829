import JSON
import Postgres
import Testing

@testable import Clients
@testable import OperatorAccess

@Suite("A file that declares clients")
struct ClientDeclarationTests {
    @Test("An omitted setting has the default of its column")
    func defaults() async throws {
        try await withPeople { people in
            try await people.change("insert into clients (id, name) values ('ducks', 'ducks')")
            let client = try #require(try await Self.desk(people).list(by: People.commandLine).first)
            for member in ClientDeclaration.defaults.members {
                #expect(client[member.name] == member.value, "\(member.name)")
            }
            #expect(ClientDeclaration.declaring(client) == ["id": "ducks", "providers": []])
        }
    }

    private static func cognito(revealsUsers: Bool = false) -> JSON {
        [
            "cognito": [
                "pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example", "reveals_users": .bool(revealsUsers),
                "remembers_devices": "never", "strict_pkce": false,
            ]
        ]
    }

    private static let both: JSON = [
        "cognito": [
            "pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example", "reveals_users": true,
            "remembers_devices": "always", "strict_pkce": true,
        ],
        "native_auth": native,
    ]

    private static let native: JSON = [
        "tenant_id": "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0", "tenant_name": "contoso.onmicrosoft.com",
        "application_id": "0f1e-2d3c", "reveals_users": true,
    ]

    /// Every setting with another value than its default.
    static let complete: JSONObject = [
        "id": "ducks", "name": "Ducks", "origins": ["https://ducks.org"], "redirect_uris": ["https://ducks.org/in"],
        "providers": ["apple", "password"], "accepted_audiences": ["apple": ["org.ducks.app"]],
        "linking_policy": "ask", "second_factor": "required", "sign_up_names": ["phone"], "custom_challenge": true,
        "foreign_nonces": true, "guests": true,
        "brand": ["logo_url": "https://ducks.org/logo.svg", "accent": "#1b6e3c"], "bot_check": "always",
        "dialects": both,
        "attributes": [
            ["name": "pond", "kind": "text", "required": true, "writable_by": "both", "shared": true]
        ],
        "claims": [
            "url": "https://claims.ducks.org/", "audience": "ducks", "application": "gateway", "allowed": ["tier"],
            "failure": "open", "attributes": ["pond": "pond"], "refresh_seconds": 600,
        ],
        "access_token_seconds": 120, "refresh_idle_seconds": 3_600, "refresh_max_seconds": 7_200,
        "refresh_rotation": "relaxed",
    ]

    @Test("Every setting is declared, stored, served to the sign-in, and exported again")
    func complete() async throws {
        try await withPeople { people in
            let made = try await Self.apply([Self.complete], people)
            #expect(made.applied.map(\.before) == [nil])
            let client = try #require(try await Self.desk(people).list(by: People.commandLine).first)
            #expect(ClientDeclaration.declaring(client) == Self.complete)
            let served = try #require(try await people.client("ducks"))
            let pond = ClientAttribute(
                name: "pond", kind: .text, isRequired: true, writableBy: .both, isShared: true)
            #expect(served.attributes == [pond])
            #expect(served.allowsGuests)
            #expect(served.botCheck == .always)
            let app = CognitoApp(
                poolID: "eu-central-1_Abc123XYZ", clientID: "4example", revealsUsers: true, remembersDevices: .always,
                isStrictAboutProofKeys: true)
            #expect(served.dialects.cognito == app)
            let native = NativeAuthApp(
                tenantID: "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0", tenantName: "contoso.onmicrosoft.com",
                applicationID: "0f1e-2d3c", revealsUsers: true)
            #expect(served.dialects.nativeAuth == native)
            #expect(served.brand?.accent == AccentColour("#1b6e3c"))
            #expect(served.claims?.service?.allowed == ["tier"] && served.claims?.isClosed == false)
        }
    }

    @Test("The same file again changes nothing, leaves no audit row, and makes no claims due")
    func again() async throws {
        try await withPeople { people in
            _ = try await Self.apply([Self.complete, ["id": "geese", "providers": []]], people)
            let state = try await Self.state(people)
            let again = try await Self.apply([Self.complete, ["id": "geese", "providers": []]], people)
            #expect(again.applied.allSatisfy { $0.before == $0.after })
            #expect(try await Self.state(people) == state)
        }
    }

    @Test("An omitted setting returns to its default, claims included")
    func omitted() async throws {
        try await withPeople { people in
            _ = try await Self.apply([Self.complete], people)
            let changed = try #require(try await Self.apply([["id": "ducks", "providers": []]], people).applied.first)
            #expect(changed.before != changed.after)
            #expect(ClientDeclaration.declaring(changed.after) == ["id": "ducks", "providers": []])
            #expect(try await people.texts("select client_id from client_claims") == [])
        }
    }

    @Test("A dry run returns the changes and makes none")
    func dryRun() async throws {
        try await withPeople { people in
            _ = try await Self.apply([["id": "ducks", "providers": []]], people)
            let state = try await Self.state(people)
            let run = try await Self.apply([Self.complete, ["id": "geese", "providers": []]], people, isDryRun: true)
            #expect(
                run.applied.map(\.id) == ["ducks", "geese"] && run.applied.map { $0.before == nil } == [false, true])
            #expect(run.applied.first?.after["name"] == "Ducks")
            #expect(try await Self.state(people) == state)
        }
    }

    @Test("A dry run of a change returns the changed client, and changes nothing")
    func dryRunOfChange() async throws {
        try await withPeople { people in
            _ = try await Self.apply([["id": "ducks", "providers": []]], people)
            let state = try await Self.state(people)
            func change(to name: String) async throws -> JSON {
                try await Self.desk(people).change(
                    "ducks", ClientChange(["name": .string(name)]), isDryRun: true, because: People.reason,
                    by: People.commandLine)
            }
            #expect(try await change(to: "Ducks")["name"] == "Ducks")
            await #expect(throws: AdminRefusal.nothingToChange) { _ = try await change(to: "ducks") }
            #expect(try await Self.state(people) == state)
        }
    }

    @Test("A client is shown in the order of a declaration; what no file declares follows")
    func order() {
        let client: JSON = ["created_at": "now", "origins": [], "name": "Ducks", "type": "public", "id": "ducks"]
        let names = ClientDeclaration.ordered(client).object?.members.map(\.name)
        #expect(names == ["id", "name", "type", "origins", "created_at"])
    }

    /// A faulty second declaration, and the place of its fault.
    static let faults: [(JSON, String, String)] = [
        (["id": "geese", "providers": ["aple"]], "/clients/1/providers/0", "unknown_provider"),
        (
            [
                "id": "geese", "providers": [],
                "claims": ["url": "https://127.0.0.1/", "audience": "a", "allowed": ["tier"]],
            ],
            "/clients/1/claims/url", "address_refused"
        ),
        (
            ["id": "geese", "providers": [], "audiences": ["administration"], "refresh_rotation": "relaxed"],
            "/clients/1/refresh_rotation", "not_for_administration"
        ),
        (
            ["id": "geese", "providers": [], "audiences": ["administration"], "guests": true], "/clients/1/guests",
            "not_for_administration"
        ),
        (
            ["id": "geese", "providers": [], "audiences": ["administration"], "dialects": cognito()],
            "/clients/1/dialects", "not_for_administration"
        ),
        (["id": "geese", "providers": [], "dialects": cognito()], "/clients/1/dialects/cognito/client_id", "taken"),
        (
            ["id": "geese", "providers": [], "dialects": ["native_auth": native]],
            "/clients/1/dialects/native_auth/application_id", "taken"
        ),
    ]

    @Test("A refused declaration is named with its place, and no other one is applied", arguments: faults)
    func refused(faulty: JSON, pointer: String, reason: String) async throws {
        try await withPeople { people in
            let state = try await Self.state(people)
            let error = await #expect(throws: ClientDesk.RefusedDeclaration.self) {
                _ = try await Self.apply([Self.complete, faulty.object ?? [:]], people)
            }
            #expect(error?.id == "geese" && error?.refusal.fault == .invalidMember(pointer: pointer, reason: reason))
            #expect(try await Self.state(people) == state)
        }
    }

    /// A faulty file, and the place of its fault.
    static let files: [(JSON, String, String)] = [
        ([], "", "must_be_object"), ([:], "/clients", "must_be_list"), (["apps": []], "/apps", "unknown_member"),
        (["clients": [[:]]], "/clients/0/id", "required"), (["clients": ["ducks"]], "/clients/0", "must_be_object"),
        (["clients": [["id": "-"]]], "/clients/0/id", "malformed"),
        (["clients": [["id": "a", "providers": []], ["id": "a", "providers": []]]], "/clients/1/id", "taken"),
        (["clients": [["id": "a"]]], "/clients/0/providers", "required"),
        (["clients": [["id": "a", "orgins": []]]], "/clients/0/orgins", "unknown_member"),
        (["clients": [["id": "a", "reason": "because"]]], "/clients/0/reason", "unknown_member"),
        (["clients": [["id": "a", "attributes": [["name": "A"]]]]], "/clients/0/attributes/0", "malformed"),
        (
            ["clients": [["id": "a", "attributes": [["name": "b"], ["name": "b"]]]]],
            "/clients/0/attributes/1/name", "taken"
        ),
        (["clients": [["id": "a", "brand": ["accent": "#ffd400"]]]], "/clients/0/brand/accent", "contrast_too_low"),
        (["clients": [["id": "a", "brand": "blue"]]], "/clients/0/brand", "must_be_object"),
        (["clients": [["id": "a", "dialects": []]]], "/clients/0/dialects", "must_be_object"),
        (
            ["clients": [["id": "a", "dialects": ["cognito": ["pool_id": "eu-central-1_A"]]]]],
            "/clients/0/dialects/cognito/client_id", "required"
        ),
        (["clients": [["id": "a", "claims": [:]]]], "/clients/0/claims/attributes", "required"),
        (["clients": [["id": "a", "claims": ["url": "https://a.org"]]]], "/clients/0/claims/audience", "required"),
        (
            ["clients": [["id": "a", "claims": ["attributes": ["b": "sub"]]]]], "/clients/0/claims/attributes/b",
            "malformed"
        ),
    ]

    @Test("A fault of the file is named with its place", arguments: files)
    func file(json: JSON, pointer: String, reason: String) {
        let refusal = #expect(throws: AdminRefusal.self) { try ClientDeclaration.all(in: json) }
        #expect(refusal?.fault == .invalidMember(pointer: pointer, reason: reason))
    }

    @Test("A misspelt setting comes with every setting that the file may have")
    func settings() throws {
        let file: JSON = ["clients": [["id": "a", "orgins": []]]]
        let refusal = #expect(throws: AdminRefusal.self) { try ClientDeclaration.all(in: file) }
        let known = ClientDeclaration.defaults.members.map(\.name) + ["name", "providers"]
        #expect(refusal?.accepted.sorted() == known.sorted())
    }

    @Test("A confidential client gets its secret once, also if it was public before")
    func secrets() async throws {
        try await withPeople { people in
            _ = try await Self.apply([["id": "ducks", "providers": []]], people)
            let file: [JSONObject] = [
                ["id": "ducks", "providers": [], "type": "confidential"],
                ["id": "geese", "providers": [], "type": "confidential"],
            ]
            let made = try await Self.apply(file, people)
            for one in made.applied {
                let secret = try #require(one.secret)
                #expect(try await people.client(one.id)?.authenticates(secret: secret) == true)
            }
            #expect(try await Self.apply(file, people).applied.map(\.secret) == [nil, nil])
        }
    }

    @Test("A confidential client with Cognito's API gets a sealed secret, and none with a digest gets that API")
    func sealedSecrets() async throws {
        try await withPeople { people in
            let plain: JSONObject = ["id": "ducks", "providers": [], "type": "confidential"]
            let made = try #require(try await Self.apply([plain], people).applied.first)
            #expect(made.after["secret_kept"] == "digest")
            var speaking = plain
            speaking["dialects"] = Self.cognito()
            let error = await #expect(throws: ClientDesk.RefusedDeclaration.self) {
                _ = try await Self.apply([speaking], people)
            }
            let refusal = AdminRefusal.invalidMember(
                pointer: "/clients/0/dialects/cognito", reason: "needs_a_sealed_secret")
            #expect(error?.refusal == refusal)
            speaking["id"] = "geese"
            let sealed = try #require(try await Self.apply([speaking], people).applied.first)
            #expect(sealed.after["secret_kept"] == "sealed" && sealed.secret != nil)
        }
    }

    @Test("An undeclared client stays and is listed; on request it is disabled, except the console's")
    func others() async throws {
        try await withPeople { people in
            _ = try await Self.apply(
                [
                    ["id": "ducks", "providers": []], ["id": "geese", "providers": []],
                    ["id": "console", "providers": []],
                ], people)
            #expect(
                try await Self.apply([["id": "ducks", "providers": []]], people).undeclared == ["console", "geese"])
            let run = try await Self.apply([["id": "ducks", "providers": []]], people, disablesOthers: true)
            #expect(run.undeclared == ["console"])
            let disabled = try await people.texts("select id from clients where disabled_at is not null")
            #expect(disabled == ["geese"])
            let again = try await Self.apply(
                [["id": "ducks", "providers": []], ["id": "geese", "providers": []]], people, disablesOthers: true)
            #expect(again.applied.map { $0.before == $0.after } == [true, false])
        }
    }

    @Test("A file is an owner's action")
    func owners() async throws {
        try await withPeople { people in
            let admin = try await people.operatorWith(.admin)
            await #expect(throws: AdminRefusal.roleTooLow) {
                _ = try await Self.apply([["id": "ducks", "providers": []]], people, by: admin)
            }
        }
    }

    // MARK: Helpers

    private static func desk(_ people: People) throws -> ClientDesk {
        try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
    }

    private static func apply(
        _ declared: [JSONObject], _ people: People, disablesOthers: Bool = false, isDryRun: Bool = false,
        by actor: AdminActor = People.commandLine
    ) async throws -> ClientDesk.Application {
        let file: JSON = ["clients": .array(declared.map { .object($0) })]
        return try await desk(people).apply(
            ClientDeclaration.all(in: file), disablesOthers: disablesOthers, keeping: "console", isDryRun: isDryRun,
            because: People.reason, by: actor)
    }

    /// All rows of clients and their claims, and the number of audit events.
    private static func state(_ people: People) async throws -> [String] {
        try await people.texts(
            """
            select to_jsonb(c)::text from clients c union all select to_jsonb(k)::text from client_claims k
            union all select count(*)::text from audit_events order by 1
            """)
    }
}
