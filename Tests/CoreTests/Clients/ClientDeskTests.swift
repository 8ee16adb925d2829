import Foundation
import JSON
import Postgres
import TestSupport
import Testing
import Vocabulary

@testable import Clients
@testable import OperatorAccess
@testable import Operators

@Suite("Operators' changes of clients")
struct ClientDeskTests {
    @Test(
        "adding, changing and disabling a client and replacing its secret each leave a row with before and after, without the secret"
    )
    func life() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let sent: JSONObject = ["name": "Ducks", "providers": [], "redirect_uris": ["https://ducks.org/in"]]
            let made = try await desk.create(
                "ducks", ClientChange(sent), isConfidential: true, because: People.reason, by: People.commandLine)
            let secret = try #require(made.secret)
            #expect(made.client["has_secret"] == true)
            let changed = try await desk.change(
                "ducks", ClientChange(["access_token_seconds": 120, "linking_policy": "ask"]), because: People.reason,
                by: People.commandLine)
            #expect(changed["access_token_seconds"] == 120)
            #expect(changed["redirect_uris"] == ["https://ducks.org/in"])
            let other = try await desk.replaceSecret(
                "ducks", kept: .digest, because: People.reason, by: People.commandLine)
            #expect(other.secret != secret)
            let disabled = try await desk.change(
                "ducks", ClientChange(["disabled": true]), because: People.reason, by: People.commandLine)
            #expect(disabled["disabled"] == true)
            let rows = try await people.texts(
                "select action || ' ' || words || ' ' || detail::text from audit_events order by id")
            #expect(
                rows.map { $0.prefix { $0 != " " } } == [
                    "client_added", "client_changed", "client_secret_replaced", "client_changed",
                ])
            #expect(rows.allSatisfy { !$0.contains(secret) && !$0.contains(other.secret) })
        }
    }

    @Test("a sealed secret is in no row of the audit log, which has its storage; the next secret replaces it")
    func sealedSecret() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: [])
            let made = try await desk.create(
                "ducks", ClientChange(["name": "Ducks", "providers": []]), isConfidential: false,
                because: People.reason,
                by: People.commandLine)
            #expect(made.client["secret_kept"] == .null && made.client["has_secret"] == false)
            var former: [String] = []
            for kept in [ClientSecret.Storage.sealed, .digest, .sealed] {
                let made = try await desk.replaceSecret(
                    "ducks", kept: kept, because: People.reason, by: People.commandLine)
                #expect(made.client["secret_kept"]?.string == kept.rawValue && made.client["has_secret"] == true)
                former.append(made.secret)
                let row = try #require(try await people.texts("select to_jsonb(c)::text from clients c").first)
                #expect(!row.contains(made.secret))
                let client = try await people.client("ducks")
                #expect(former.map { client?.authenticates(secret: $0) == true } == former.map { $0 == made.secret })
            }
            let rows = try await people.texts(
                """
                select concat_ws(' ', detail->'before'->>'secret_kept', detail->'after'->>'secret_kept', detail::text) from audit_events
                 where action = 'client_secret_replaced' order by id
                """)
            #expect(rows.map { $0.split(separator: " {")[0] } == ["sealed", "sealed digest", "digest sealed"])
            #expect(former.allSatisfy { secret in rows.allSatisfy { !$0.contains(secret) } })
        }
    }

    /// A member of a client, and whether only an owner changes it.
    static let members: [(sent: JSONObject, isTrust: Bool)] = [
        (["name": "Geese"], false), (["linking_policy": "ask"], false), (["sign_up_names": ["phone"]], false),
        (["access_token_seconds": 120], false), (["refresh_idle_seconds": 120], false),
        (["refresh_max_seconds": 120], false), (["disabled": true], false), (["disabled": false], true),
        (["redirect_uris": ["https://evil.example/cb"]], true), (["origins": ["https://evil.example"]], true),
        (["providers": ["apple"]], true), (["second_factor": "required"], true), (["custom_challenge": true], true),
        (["guests": true], true), (["foreign_nonces": true], true), (["bot_check": "off"], false),
        (["audiences": ["administration"]], true), (["name": "Geese", "redirect_uris": []], true),
        (["accepted_audiences": ["apple": ["org.ducks.app"]]], true), (["refresh_rotation": "relaxed"], true),
        (
            [
                "dialects": [
                    "cognito": [
                        "pool_id": "eu-central-1_Abc123XYZ", "client_id": "4example", "reveals_users": false,
                        "remembers_devices": "never", "strict_pkce": false,
                    ]
                ]
            ], true
        ),
    ]

    @Test("F2: only owners change the targets and permissions of an app's sessions", arguments: members)
    func trust(sent: JSONObject, isTrust: Bool) async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let (admin, owner) = (try await people.operatorWith(.admin), try await people.operatorWith(.owner))
            let isDisabled = sent["disabled"] == false
            try await people.change(
                """
                insert into clients (id, name, redirect_uris, disabled_at)
                values ('ducks', 'Ducks', '{https://ducks.org/in}', case when \(isDisabled) then now() end)
                """)
            let before = try await people.texts("select to_jsonb(c)::text from clients c where id = 'ducks'")
            let change = try ClientChange(sent)
            if isTrust {
                await #expect(throws: AdminRefusal.roleTooLow) {
                    try await desk.change("ducks", change, because: People.reason, by: admin)
                }
                #expect(try await people.texts("select to_jsonb(c)::text from clients c where id = 'ducks'") == before)
            }
            let changed = try await desk.change(
                "ducks", change, because: People.reason, by: isTrust ? owner : admin)
            for member in sent.members { #expect(changed[member.name] == member.value) }
        }
    }

    @Test("F2: only owners change whether an app must authenticate")
    func type() {
        #expect(ClientChange.action(for: ["type": "public"]) == .trustClient)
        #expect(ClientChange.action(for: ["type": "public"]).least == .owner)
    }

    @Test("a client is not made without the list of its sign-in methods, and an empty list offers none")
    func signInMethods() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            await #expect(throws: AdminRefusal.invalidMember(pointer: "/providers", reason: "required")) {
                try await desk.create(
                    "ducks", ClientChange(["name": "Ducks"]), isConfidential: false, because: People.reason,
                    by: People.commandLine)
            }
            #expect(try await people.texts("select id from clients where id = 'ducks'") == [])
            _ = try await desk.create(
                "ducks", ClientChange(["name": "Ducks", "providers": []]), isConfidential: false,
                because: People.reason, by: People.commandLine)
            let none = try #require(try await people.client("ducks"))
            #expect(["apple", "google", "password", "passkey"].allSatisfy { !none.allows(provider: $0) })
            _ = try await desk.change(
                "ducks", ClientChange(["providers": ["apple", "passkey"]]), because: People.reason,
                by: People.commandLine)
            let two = try #require(try await people.client("ducks"))
            let offered = ["apple", "google", "password", "passkey"].filter(two.allows)
            #expect(offered == ["apple", "passkey"])
        }
    }

    @Test("F2: only owners create apps")
    func creation() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let admin = try await people.operatorWith(.admin)
            let change = try ClientChange(["name": "Ducks", "providers": []])
            await #expect(throws: AdminRefusal.roleTooLow) {
                try await desk.create("ducks", change, isConfidential: false, because: People.reason, by: admin)
            }
            #expect(try await people.texts("select id from clients where id = 'ducks'") == [])
        }
    }

    @Test("a client with accounts can't be deleted in any way", arguments: ["delete from", "truncate"])
    func stays(statement: String) async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            _ = try await desk.create(
                "ducks", ClientChange(["name": "Ducks", "providers": []]), isConfidential: false,
                because: People.reason,
                by: People.commandLine)
            let error = await #expect(throws: PostgresError.self) {
                try await people.change(statement == "truncate" ? "truncate clients cascade" : "delete from clients")
            }
            guard case .statement(.foreignKeyViolation, _, _)? = error else {
                Issue.record("refused otherwise: \(String(describing: error))")
                return
            }
            #expect(try await people.texts("select id from clients where id = 'ducks'") == ["ducks"])
        }
    }

    /// Invalid settings of a client, and the field of the error.
    static let rows: [(sent: JSONObject, pointer: String)] = [
        (["name": ""], "/name"), (["name": 4], "/name"), (["origins": "https://a.org"], "/origins"),
        (["origins": ["https://a.org/"]], "/origins/0"), (["origins": ["http://a.org"]], "/origins/0"),
        (["redirect_uris": ["https://a.org/in", "javascript:alert(1)"]], "/redirect_uris/1"),
        (["redirect_uris": ["https://a.org/#x"]], "/redirect_uris/0"),
        (["linking_policy": "always"], "/linking_policy"),
        (["access_token_seconds": 59], "/access_token_seconds"),
        (["access_token_seconds": .null], "/access_token_seconds"),
        (["refresh_max_seconds": -1], "/refresh_max_seconds"),
        (["refresh_idle_seconds": 1e12], "/refresh_idle_seconds"),
        (["second_factor": true], "/second_factor"), (["sign_up_names": []], "/sign_up_names"),
        (["disabled": "no"], "/disabled"), (["secret": "mine"], "/secret"),
        (["redirect_uri": "https://a.org"], "/redirect_uri"), (["audiences": ["everything"]], "/audiences/0"),
        (["type": "secret"], "/type"), (["refresh_rotation": "never"], "/refresh_rotation"),
        (["bot_check": "sometimes"], "/bot_check"), (["dialects": ["cognito": [:]]], "/dialects/cognito/pool_id"),
        (["refresh_rotation": false], "/refresh_rotation"),
        (["type": .null], "/type"), (["accepted_audiences": ["apple"]], "/accepted_audiences"),
        (["accepted_audiences": ["apple": []]], "/accepted_audiences/apple"),
        (["accepted_audiences": ["apple": [""]]], "/accepted_audiences/apple"),
        (["accepted_audiences": ["apple": "x"]], "/accepted_audiences/apple"),
    ]

    @Test("S-10: invalid client settings are refused by name", arguments: rows.indices)
    func malformed(index: Int) {
        let row = Self.rows[index]
        do throws(AdminRefusal) {
            _ = try ClientChange(row.sent)
            Issue.record("\(row.sent) was taken")
        } catch {
            guard case .invalidMember(let pointer, _, _) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(pointer == row.pointer)
        }
    }

    @Test("a taken id, an empty change and an unknown client are refused")
    func refused() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let change = try ClientChange(["name": "Ducks", "providers": []])
            _ = try await desk.create(
                "ducks", change, isConfidential: false, because: People.reason, by: People.commandLine)
            await #expect(throws: AdminRefusal.invalidMember(pointer: "/id", reason: "taken")) {
                try await desk.create(
                    "ducks", change, isConfidential: false, because: People.reason, by: People.commandLine)
            }
            await #expect(throws: AdminRefusal.nothingToChange) {
                try await desk.change("ducks", change, because: People.reason, by: People.commandLine)
            }
            await #expect(throws: AdminRefusal.notFound) {
                try await desk.replaceSecret("geese", kept: .digest, because: People.reason, by: People.commandLine)
            }
        }
    }

    @Test("F3: a client has the type of its creation; a public one can become confidential once it has a secret")
    func types() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let change = try ClientChange(["name": "Ducks", "providers": []])
            let server = try await desk.create(
                "server", change, isConfidential: true, because: People.reason, by: People.commandLine)
            #expect(server.client["type"] == "confidential" && server.secret != nil)
            let app = try await desk.create(
                "app-of-ducks", change, isConfidential: false, because: People.reason, by: People.commandLine)
            #expect(app.client["type"] == "public" && app.secret == nil)
            let confidential = try ClientChange(["type": "confidential"])
            await #expect(throws: AdminRefusal.invalidMember(pointer: "/type", reason: "needs_a_secret")) {
                try await desk.change("app-of-ducks", confidential, because: People.reason, by: People.commandLine)
            }
            let kept = try await desk.replaceSecret(
                "app-of-ducks", kept: .digest, because: People.reason, by: People.commandLine)
            #expect(kept.client["type"] == "public", "the secret is its back end's")
            let changed = try await desk.change(
                "app-of-ducks", confidential, because: People.reason, by: People.commandLine)
            #expect(changed["type"] == "confidential")
        }
    }

    @Test("F9: accepted audiences are set and removed by provider")
    func acceptedAudiences() async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let change = try ClientChange(["providers": [], "accepted_audiences": ["apple": ["org.ducks.app"]]])
            let made = try await desk.create(
                "ducks", change, isConfidential: false, because: People.reason, by: People.commandLine)
            #expect(made.client["accepted_audiences"] == ["apple": ["org.ducks.app"]])
            let open = try await desk.change(
                "ducks", ClientChange(["accepted_audiences": [:]]), because: People.reason, by: People.commandLine)
            #expect(open["accepted_audiences"] == [:])
        }
    }

    /// Settings with an unconfigured provider, and their field.
    static let unknown: [(sent: JSONObject, pointer: String)] = [
        (["accepted_audiences": ["aple": ["org.ducks.app"]]], "/accepted_audiences/aple"),
        (["accepted_audiences": ["apple": ["a"], "Google": ["b"]]], "/accepted_audiences/Google"),
        (["accepted_audiences": ["": ["a"]]], "/accepted_audiences/"),
        (["accepted_audiences": ["password": ["a"]]], "/accepted_audiences/password"),
        (["providers": ["apple", "password", "passkey", "aple"]], "/providers/3"),
    ]

    @Test(
        "F9: a provider that isn't configured is refused and named, in a new client and in a change", arguments: unknown
    )
    func unknownProvider(sent: JSONObject, pointer: String) async throws {
        try await withPeople { people in
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple", "google"])
            let change = try ClientChange(sent)
            let isAudience = pointer.hasPrefix("/accepted")
            let methods =
                ["apple", "google"] + (isAudience ? [] : FirstFactor.offered(sendsTexts: true, hasPasskeys: true))
            let refusal = AdminRefusal.invalidMember(pointer: pointer, reason: "unknown_provider", accepted: methods)
            await #expect(throws: refusal) {
                try await desk.create(
                    "ducks", change, isConfidential: false, because: People.reason, by: People.commandLine)
            }
            #expect(try await people.texts("select id from clients where id = 'ducks'") == [])
            _ = try await desk.create(
                "ducks", ClientChange(["name": "Ducks", "providers": []]), isConfidential: false,
                because: People.reason,
                by: People.commandLine)
            await #expect(throws: refusal) {
                try await desk.change("ducks", change, because: People.reason, by: People.commandLine)
            }
        }
    }

    @Test("F9: the limit of an unconfigured provider stays while another changes, and can be removed")
    func providerThatIsOff() async throws {
        try await withPeople { people in
            let limited = try ClientChange([
                "providers": ["apple"], "accepted_audiences": ["apple": ["org.ducks.app"]],
            ])
            _ = try await ClientDesk(desk: people.desk, keys: People.keys, providers: ["apple"]).create(
                "ducks", limited, isConfidential: false, because: People.reason, by: People.commandLine)
            let desk = try ClientDesk(desk: people.desk, keys: People.keys, providers: ["google"])
            let both: JSON = ["apple": ["org.ducks.app"], "google": ["ducks"]]
            let changed = try await desk.change(
                "ducks", ClientChange(["accepted_audiences": both, "providers": ["apple", "google"]]),
                because: People.reason, by: People.commandLine)
            #expect(changed["accepted_audiences"] == both && changed["providers"] == ["apple", "google"])
            _ = try await desk.change(
                "ducks", ClientChange(["accepted_audiences": [:]]), because: People.reason, by: People.commandLine)
            let refusal = AdminRefusal.invalidMember(
                pointer: "/accepted_audiences/apple", reason: "unknown_provider", accepted: ["google"])
            await #expect(throws: refusal) {
                try await desk.change(
                    "ducks", ClientChange(["accepted_audiences": both]), because: People.reason,
                    by: People.commandLine)
            }
        }
    }

    @Test("a rehearsal applies each policy to past sign-ins")
    func rehearsal() async throws {
        try await withPeople { people in
            try await people.database.pool.withTransaction { connection in
                for (address, authority, proved, unproved, rule) in [
                    (true, true, 1, 0, "both_proved"), (true, true, 1, 0, "ask_first"), (true, true, 0, 1, "x"),
                    (false, false, 0, 0, "no_match"), (true, false, 0, 1, "unproved_may_join"),
                    (true, true, 1, 0, "holder_unusable"),
                ] {
                    let detail: JSON = [
                        "rule": .string(rule),
                        "facts": [
                            "has_address": .bool(address), "provider_is_authority": .bool(authority),
                            "proved_holders": .integer(proved), "unproved_holders": .integer(unproved),
                        ],
                    ]
                    try connection.execute(
                        "insert into audit_inbox (action, outcome, client_id, detail) values ('link_asked', 'done', 'app', \(JSONText(detail.text)))"
                    )
                }
            }
            let outcomes = try await LinkingRehearsal(desk: people.desk).outcomes(
                client: "app", days: 7, by: People.commandLine)
            #expect(
                outcomes == [
                    .init(policy: "both_verified", links: 2, asks: 0, newAccounts: 4),
                    .init(policy: "ask", links: 0, asks: 2, newAccounts: 4),
                ])
        }
    }

    @Test("an overview counts the events of each step, by provider and reason")
    func overview() async throws {
        let now = Date()
        try await withPeople { people in
            try await people.database.pool.withTransaction { connection in
                for (action, outcome, reason, hours) in [
                    ("signed_in", "done", "known_identity", 0), ("signed_in", "done", "known_identity", 0),
                    ("account_created", "done", "no_match", 0), ("sign_in", "refused", "nonce_used", 2),
                    ("signed_in", "done", "known_identity", 30), ("refresh", "refused", "session_ended", 0),
                ] {
                    try connection.execute(
                        """
                        insert into audit_inbox (action, outcome, reason, provider, at)
                        values (\(action), \(outcome), \(reason), 'apple', \(now.addingTimeInterval(-3600.0 * Double(hours))))
                        """)
                }
            }
            let table = try await Overview(desk: people.desk).table(.day, by: People.commandLine, now: now)
            #expect(table.starts.count == 24)
            let counts = table.counts.sorted { $0.measure.rawValue < $1.measure.rawValue }
            #expect(counts.map(\.measure) == [.failures, .newAccounts, .signIns])
            #expect(counts.map(\.count) == [1, 1, 2])
            #expect(counts.map(\.step) == [21, 23, 23])
            #expect(counts.map(\.reason) == ["nonce_used", nil, nil])
            // The sign-in 30 hours ago is in the period before.
            #expect(table.before == [.signIns: 1])
        }
    }
}

extension People {
    /// A client as the servers hold it.
    func client(_ id: String) async throws -> Client? {
        let clients = ClientRegistry(pool: database.pool, keys: try Self.keys, logger: .silent)
        try await clients.reload()
        return clients.client(id)
    }
}
