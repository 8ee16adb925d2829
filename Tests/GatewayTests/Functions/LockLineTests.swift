import Foundation
import Testing

/// The line of locks in the header of each function file, and the order of the locks (`docs/architecture.md`).
///
/// `LOCK_LINES=write make test FILTER=LockLineTests` writes the lines anew.
@Suite("The locks of function files")
struct LockLineTests {
    private static let scans = LockScan.all(FunctionText.all)

    @Test("a line of locks lists the locks of the body, in the same order", arguments: FunctionText.all)
    func locks(function: FunctionText) throws {
        let taken = try #require(Self.scans[function.name]).map(\.text)
        let expected = taken.isEmpty ? "none" : taken.joined(separator: ", ")
        if ProcessInfo.processInfo.environment["LOCK_LINES"] == "write" { return try function.writeLocks(expected) }
        #expect(function.locks == taken, "-- Locks: \(expected)")
    }

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
}
