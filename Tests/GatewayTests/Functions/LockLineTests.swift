import Foundation
import Testing

@testable import Postgres

/// The rules of `docs/architecture.md` for headers: a summary, the locks in order, and the protected invariant.
///
/// The list of locks must match the body.
@Suite("The headers of function files")
struct LockLineTests {
    private static let scans = LockScan.all(FunctionText.all)

    @Test("every file begins with a summary, and has one line of locks", arguments: FunctionText.all)
    func parts(function: FunctionText) throws {
        let first = try #require(function.header.first)
        #expect(!first.isEmpty && !FunctionText.isLabelled(first), "a summary comes first")
        #expect(function.header.filter { $0.hasPrefix("Locks:") }.count == 1)
    }

    @Test("a line of locks lists the locks of the body, in the same order", arguments: FunctionText.all)
    func locks(function: FunctionText) throws {
        let taken = try #require(Self.scans[function.name]).map(\.text)
        let expected = taken.isEmpty ? "none" : taken.joined(separator: ", ")
        #expect(function.locks == taken, "-- Locks: \(expected)")
    }

    @Test("the invariants of the headers are those of the architecture page, and each has functions")
    func invariants() throws {
        let named = Set(FunctionText.all.flatMap(\.invariants))
        #expect(named == Set(try Self.invariantsOfThePage()))
    }

    /// The signs of functions that protect an invariant.
    private static var guards: [(sign: Regex<Substring>, invariant: String)] {
        [
            (/\b(?:add|insert)_identity\(/, "one identity has one account"),
            (/\bspend\(/, "a single-use value is used once"),
            (/update sessions\s+set ended_at/, "an ended session stays ended"),
            (/\bsession_lives\(/, "an ended session stays ended"),
            (/'last credential'/, "an open account has a usable sign-in method"),
            (/delete from accounts\b/, "no row refers to a deleted account"),
        ]
    }

    @Test("a function that protects an invariant names it", arguments: FunctionText.all)
    func protection(function: FunctionText) {
        for (sign, invariant) in Self.guards where function.body.contains(sign) {
            #expect(function.invariants.contains(invariant))
        }
    }

    // MARK: - The order

    /// The places of the locks in the page; every other lock has place 4.
    private static func places() throws -> [String: Int] {
        let page = try Pages.text("docs/architecture.md")
        let rows = page.matches(of: /\n\| (\d) \| ([^|]*) \|/)
        return rows.reduce(into: [:]) { places, row in
            for name in row.output.2.matches(of: /`([a-z_ ]+)`/) {
                places[String(name.output.1)] = Int(row.output.1)
            }
        }
    }

    /// Functions with an earlier lock after a later one in their text, with the reason why they cannot wait there.
    private static let outOfOrder: [String: String] = [
        "answer_sign_in_flow": "lose_try is all that a refused answer locks",
        "apply_provider_notification":
            "the row of a notification's id: only a repetition of the same notification waits for it",
        "complete_sign_up": "reach_session without a link flow locks no identity",
        "confirm_sign_up": "reach_session without a link flow locks no identity",
        "import_accounts": "the run's own row: only another call of the same import waits for it",
        "operator_end_sessions": "either one session, or the account with all of them",
        "sign_in": "sign_in_new_account is called where no identity was found, and so no account locked",
        "sign_in_with_passkey": "reach_session without a link flow locks no identity",
        "sign_up_at_once": "reach_session without a link flow locks no identity",
        "sweep_expired": "it waits for no row",
        "sweep_guests": "it waits for no row",
        "undo_own_merge": "a merge is undone without a lock of an identity",
    ]

    @Test("functions take locks in the order of the architecture page")
    func order() throws {
        let places = try Self.places()
        #expect(Set(places.values) == [0, 1, 2, 3, 4, 5])
        let called = Set(Self.scans.values.joined().filter { $0.kind == .function }.map(\.name))
        let broken = Self.scans.keys.filter { !called.contains($0) && Self.steps(of: $0, places) != nil }
        #expect(Set(broken) == Set(Self.outOfOrder.keys), "\(broken.compactMap { Self.steps(of: $0, places) })")
    }

    @Test("every advisory lock has a place or belongs to an account, and is on the architecture page")
    func advisory() throws {
        let page = try Pages.text("docs/architecture.md")
        for lock in Self.scans.values.joined() where lock.kind == .advisory {
            let isNamed = page.contains("`\(lock.text)`")
            #expect(isNamed, "\(lock.text)")
        }
    }

    /// The first lock that a function takes after a later one, except locks that it already holds.
    private static func steps(of name: String, _ places: [String: Int]) -> String? {
        var held: Set<String> = []
        var last = (place: -1, name: "")
        for lock in locks(of: name, []) where held.insert(lock).inserted {
            let place = places[lock] ?? 4
            if place < last.place { return "\(name): \(lock) behind \(last.name)" }
            if place > last.place { last = (place, lock) }
        }
        return nil
    }

    /// The locks of a function and of the functions that it calls, in the order of the text.
    private static func locks(of name: String, _ callers: [String]) -> [String] {
        guard !callers.contains(name) else { return [] }
        return (scans[name] ?? []).flatMap { lock -> [String] in
            switch lock.kind {
            case .function: locks(of: lock.name, callers + [name])
            case .new: []
            case .advisory: [lock.text]
            case .rows, .wholeTable: [lock.name]
            }
        }
    }

    private static func invariantsOfThePage() throws -> [String] {
        let page = try Pages.text("docs/architecture.md")
        let section = try #require(page.components(separatedBy: "\n## The invariants\n").dropFirst().first)
        let rows = section.components(separatedBy: "\n## ")[0].matches(of: /\n\| ([^|]+) \|[^\n]*\|/)
        return rows.map { String($0.output.1) }.filter { $0 != "invariant" && !$0.hasPrefix("-") }
    }
}
