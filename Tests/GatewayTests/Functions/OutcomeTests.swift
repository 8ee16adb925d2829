import Testing

/// The outcomes of database functions are equal in the file's header, in its body and in Swift.
@Suite("The outcomes of the database's functions")
struct OutcomeTests {
    /// Functions that return a text other than an outcome.
    private static let texts: Set = [
        "api_time", "audit_months_before", "joined_by", "keys_of", "known_place", "mailbox_before", "mark_beside",
        "network_of", "newest_app", "notice_language",
        "outline_differences", "outlines_digest", "pairwise_subject", "proof_thing", "prune_audit",
        "second_factor_bucket", "sign_in_names",
        "utc",
    ]

    private static let judging = FunctionText.all.filter {
        ($0.hasOutcomeColumn || $0.answersText) && !texts.contains($0.name)
    }
    private static let names = Set(judging.map(\.name))

    /// Functions with outcomes that only other functions call.
    private static let inner: Set = [
        "add_factor", "add_passkey", "add_signed_up_account", "apply_flow_effect", "apply_link_flow",
        "apply_provider_event",
        "client_refusal", "confirm_address_code", "confirm_sign_up_code", "do_factor_removal",
        "erase_account", "fail_flow_answer", "grant_refusal", "judge_flow_answer", "lock_accounts", "make_session",
        "make_contested_account", "make_signed_up_account",
        "may_change_factors",
        "reach_session",
        "remove_passkey", "renew_sign_up_flow", "set_factor",
    ]

    @Test("every function that answers with a verdict lists its words, and no other does")
    func lines() {
        #expect(Self.judging.count > 70)
        #expect(Self.judging.filter { $0.outcomes == nil }.map(\.path) == [])
        #expect(FunctionText.all.filter { $0.outcomes != nil && !Self.names.contains($0.name) }.map(\.path) == [])
    }

    @Test("a body assigns and returns the words of its line", arguments: judging)
    func bodies(function: FunctionText) throws {
        let scan = OutcomeScan(function, functions: Self.names)
        var found = try function.hasOutcomeColumn ? scan.column() : scan.answer()
        var listed = try #require(function.outcomes)
        // A column is null without an assignment, and a returned variable may be another function's null. Only a reader
        // can decide whether that happens.
        if function.hasOutcomeColumn || found.contains(where: Self.passesNull) {
            found.remove("null")
            listed.remove("null")
        }
        #expect(found == listed)
    }

    /// Whether a passed-on word stands for a function that may return null.
    private static func passesNull(_ word: String) -> Bool {
        word.hasPrefix("*") && FunctionText.byName[String(word.dropFirst())]?.outcomes?.contains("null") == true
    }

    @Test("a word passed on is a word of a function that has outcomes")
    func passedOn() {
        let passed = Set(
            Self.judging.flatMap { $0.outcomes ?? [] }.filter { $0.hasPrefix("*") }.map { String($0.dropFirst()) })
        #expect(passed.subtracting(Self.names) == [])
    }

    @Test("Swift's words for a function are those that it may answer", arguments: WordList.all)
    func mapped(list: WordList) throws {
        for name in list.functions {
            let words = try #require(FunctionText.byName[name]).words().subtracting(["null"])
            #expect(list.own.subtracting(words) == [], "\(name) never answers these")
            #expect(
                words.subtracting(list.own).subtracting(list.shared) == [],
                "\(name) answers these, and nobody knows them")
        }
    }

    @Test("every shared refusal is answered by a function that is read with it")
    func refusals() {
        for list in WordList.shared {
            let answered = WordList.all.filter { $0.shared == list.own || $0.isForBoth }.flatMap(\.functions)
                .reduce(into: Set<String>()) { $0.formUnion(FunctionText.byName[$1]?.words() ?? []) }
            #expect(list.own.subtracting(answered) == [])
        }
    }

    @Test("every function with outcomes is read with one list of words, or called by functions only")
    func called() throws {
        let read = WordList.all.flatMap(\.functions)
        #expect(Set(read).count == read.count)
        #expect(Set(read).union(Self.inner) == Self.names)
        #expect(Set(read).isDisjoint(with: Self.inner))
        let sources = try Pages.swiftFiles("Sources").map(Pages.text).joined(separator: "\n")
        let calls = Set(sources.matches(of: /\b([a-z_]+)\(/).map { String($0.output.1) })
        #expect(Self.names.subtracting(Self.inner).subtracting(calls) == [], "Swift calls these no more")
        #expect(Self.inner.intersection(calls) == [], "Swift calls these, so it must know their words")
        let bodies = FunctionText.all.map(\.body).joined(separator: "\n")
        #expect(Self.inner.filter { !bodies.contains($0 + "(") } == [], "nothing calls these")
    }

    @Test("every list of words in the sources is known here")
    func registered() throws {
        let declared = try Pages.swiftFiles("Sources").map(Pages.text).flatMap { text in
            text.matches(of: /enum (\w+): String, OutcomeWord/).map { String($0.output.1) }
        }
        #expect(declared.sorted() == WordList.all.map(\.name).sorted())
    }

    @Test("a switch over outcomes names every word")
    func noDefaults() throws {
        let cases = try WordList.all.map { list in
            let text = try Pages.text(list.file)
            return try #require(SwiftSwitches.cases(of: list.name, in: text), "\(list.name)")
        }
        var found: [String] = []
        for path in try Self.coreFiles() {
            for block in SwiftSwitches.all(in: try Pages.text(path)) where block.hasDefault && !block.cases.isEmpty {
                let readsOutcome = block.subject.contains(/\.(answer|outcome|optionalAnswer|optionalOutcome)\(/)
                if readsOutcome || cases.contains(where: { block.cases.isSubset(of: $0) })
                    || block.cases == ["own", "refused"]
                {
                    found.append("\(path): \(block.subject)")
                }
            }
        }
        #expect(found == [])
    }

    @Test("no source compares an outcome as text")
    func noRawWords() throws {
        let words = Self.judging.reduce(into: Set<String>()) { $0.formUnion($1.words()) }
        var found: [String] = []
        for path in try Self.coreFiles() where path != "Sources/Postgres/OutcomeWord.swift" {
            let text = try Pages.text(path)
            for match in text.matches(of: /(?:case|outcome ==|outcome !=|verdict ==|refusal ==) "([a-z_]+)"/) {
                if words.contains(String(match.output.1)), !Self.otherWords.contains(path) {
                    found.append("\(path): \(match.output.0)")
                }
            }
        }
        #expect(found == [])
    }

    /// Files that read the outcome of an audit event or the state of a delivery, which are other words.
    private static let otherWords: Set = [
        "Sources/Operators/Events/EventType.swift", "Sources/Operators/Events/EventDesk+Deliveries.swift",
    ]

    private static func coreFiles() throws -> [String] {
        try (["Postgres"] + Pages.rooms).flatMap { try Pages.swiftFiles("Sources/\($0)") }
    }
}
