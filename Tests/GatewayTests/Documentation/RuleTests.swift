import Foundation
import Testing

/// Swift passes lifetimes, budgets and windows, and `docs/architecture.md` names the place of each.
@Suite("Rules in SQL")
struct RuleTests {
    /// Literals allowed in SQL, by file and text, each with the reason.
    private static let exceptions: [String: [String: String]] = [
        "Functions/audit/account_events.sql": ["9223372036854775807": "the greatest id: no bound"],
        "Functions/audit/make_audit_partition.sql": ["interval '1 month'": "a partition is a month"],
        "Functions/audit/prune_audit.sql": ["9223372036854775807": "the greatest position: no bound"],
        "Functions/events/queue_events.sql": ["interval '1 microsecond'": "a unit"],
        "Functions/housekeeping/probe_writes.sql": ["16384": "bytes that leave no room on a page"],
        "Functions/import/import_accounts.sql": ["1000.0": "milliseconds in a second"],
        "Functions/operators/account_dossier.sql": ["100": "the length of a list"],
        "Functions/passwords/give_back_after_right_answer.sql": [
            "1000.0": "milliseconds in a second", "2000.0": "milliseconds in a second, and a half",
        ],
        "Functions/passwords/give_back_to_throttles.sql": ["1000.0": "milliseconds in a second"],
        "Functions/passwords/take_from_throttles.sql": ["1000.0": "milliseconds in a second"],
        "Functions/provider_life_cycle/close_account.sql": [
            "interval '14 days'": "a rule that lives here: each function that proves an address would carry it"
        ],
        "Functions/search/counted_events.sql": [
            "100000000": "no bound: the planner is to keep the order",
            "interval '59 minutes 59.999999 seconds'": "up to the next full hour",
        ],
        "Functions/merging/merge_chain.sql": ["100": "no bound: it ends the search of a chain that leads in a circle"],
        "Functions/sessions/next_claims_due.sql": [
            "interval '1 minute'": "longer than an answer takes that was on its way during a change"
        ],
        "Functions/sessions/rotate_refresh_token.sql": [
            "1000.0": "milliseconds in a second",
            "interval '1 minute'": "how far the row of an event may lie from its time: it spares older partitions",
        ],
        "Functions/sign_in/notify_account.sql": [
            "interval '7 days'": "a rule that lives here: each function with a notice would carry it"
        ],
        "Functions/throttling/charge_wrong_answer.sql": ["1000.0": "milliseconds in a second"],
        "Functions/throttling/lose_try.sql": ["1000": "keeps a counter in its type"],
        "Functions/throttling/network_of.sql": ["64": "bits of an IPv6 network"],
        "Functions/throttling/wait_for_throttles.sql": ["1000.0": "milliseconds in a second"],
        "Schema/0001_accounts.sql": ["interval '7 days'": "a rule that lives here: in which a change can be undone"],
        "Schema/0002_identities.sql": [
            "interval '1 day'": "the first check of a token: several functions store one",
            "interval '30 days'": "a rule that lives here: how long a trigger's revocations are tried",
        ],
    ]

    @Test("no function or table contains its own literal for a lifetime, budget or window")
    func literals() throws {
        let files = try Self.sqlFiles()
        #expect(files.count > 200)
        var found: [String: Set<String>] = [:]
        for file in files {
            let all = Self.literals(try Pages.text("Sources/Postgres/\(file)"), isFunction: file.hasPrefix("Functions"))
            if !all.isEmpty { found[file] = all }
        }
        for (file, literals) in found {
            let allowed = Set((Self.exceptions[file] ?? [:]).keys)
            #expect(literals.subtracting(allowed) == [], "\(file): pass it from Swift")
        }
        for (file, allowed) in Self.exceptions {
            #expect(Set(allowed.keys).subtracting(found[file] ?? []) == [], "\(file): not there any more")
        }
    }

    @Test(
        "a literal is found in each form",
        arguments: [
            ("now() - interval '1 hour'", ["interval '1 hour'"]), ("now() + INTERVAL  '2 days'", ["interval '2 days'"]),
            ("now() + '3 days'::interval", ["'3 days'::interval"]),
            ("cast('4 days' as interval)", ["'4 days' as interval"]),
            ("make_interval(secs => 59)", ["make_interval(secs => 59"]),
            ("make_interval(days => 14)", ["make_interval(days => 14"]), ("array[180000::bigint]", ["180000"]),
            ("limit 60", ["60"]), ("burst integer := 1_024", ["1_024"]), ("period / 1000.0", ["1000.0"]),
            ("180*(20 - 1)", ["180"]),
        ])
    func forms(text: String, literals: [String]) {
        #expect(Self.literals(text, isFunction: true) == Set(literals))
    }

    @Test(
        "other numbers are ignored",
        arguments: [
            "limit 59", "-- 600 s, interval '1 hour'", "raise exception 'x' using errcode = '23505'", "$1000",
            "sha256(x)",
            "p_address64", "make_interval(secs => p_seconds)", "interval := p_grace",
            "'00000000-0000-0000-0000-000000000000'",
        ])
    func passedOver(text: String) {
        #expect(Self.literals(text, isFunction: true) == [])
    }

    @Test("every place in the table of rules exists, and each exception that is a rule has a row")
    func table() throws {
        let rows = try Self.rules()
        #expect(rows.count > 45)
        let sql = try Self.sqlFiles()
        for row in rows {
            for name in Self.quoted(row.appliedBy) where name.hasSuffix(".sql") {
                #expect(sql.contains { $0.hasSuffix("/" + name) }, "\(row.rule): \(name)")
            }
            guard let path = Self.quoted(row.swift).last else {
                #expect(row.swift.hasPrefix("none: "), "\(row.rule)")
                continue
            }
            let source = try Pages.text("Sources/\(path)")
            for name in Self.quoted(row.swift).dropLast() {
                let words = name.split(separator: ".").map(String.init)
                let type = try Regex(#"\b(struct|enum|class|extension) \#(words[0])\b"#)
                #expect(source.contains(type), "\(row.rule): \(name)")
                guard words.count == 2 else { continue }
                #expect(source.contains(try Regex(#"\b(let|var|func) \#(words[1])\b"#)), "\(row.rule): \(name)")
            }
        }
        for file in ["close_account.sql", "account_changes", "provider_tokens", "provider_revocations"] {
            #expect(rows.contains { Self.quoted($0.appliedBy).contains(file) }, "\(file)")
        }
    }

    // MARK: Reading

    private static func sqlFiles() throws -> [String] {
        let place = Configurations.root.appending(path: "Sources/Postgres").resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: place.path)
        return (names?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(".sql") }.sorted()
    }

    /// Time spans, and in functions also numbers from 60 up; a table's numbers are types and sizes.
    private static func literals(_ text: String, isFunction: Bool) -> Set<String> {
        let code = text.replacing(#/--[^\n]*/#, with: "")
        var found: Set<String> = []
        for match in code.matches(of: #/(?i)\binterval\s*('[^']*')/#) { found.insert("interval \(match.output.1)") }
        for match in code.matches(of: #/'[^']*'\s*::\s*interval\b|'[^']*'\s+as\s+interval\b/#) {
            found.insert(String(match.output))
        }
        for match in code.matches(of: #/make_interval\(\w+ => [0-9][0-9_]*/#) { found.insert(String(match.output)) }
        guard isFunction else { return found }
        let bare = code.replacing(#/make_interval\(\w+ => [0-9][0-9_]*/#, with: "").replacing(#/'[^']*'/#, with: "''")
        for match in bare.matches(of: #/(?:^|[^\w$.])([0-9][0-9_]*(?:\.[0-9]+)?)\b/#) {
            let number = String(match.output.1)
            if let value = Double(number.replacing("_", with: "")), value >= 60 { found.insert(number) }
        }
        return found
    }

    private struct Rule {
        let rule: String
        let swift: String
        let appliedBy: String
    }

    private static func rules() throws -> [Rule] {
        let page = try Pages.text("docs/architecture.md")
        let section = try #require(Pages.between("## Rules and where they live", "## ", in: page))
        return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 4 ? Rule(rule: cells[0], swift: cells[2], appliedBy: cells[3]) : nil
        }
    }

    private static func quoted(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap {
            $0.isMultiple(of: 2) ? nil : String($1)
        }
    }
}
