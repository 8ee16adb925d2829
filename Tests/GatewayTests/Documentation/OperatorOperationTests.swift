import ArgumentParser
import Operators
import Testing

@testable import Commands
@testable import Console
@testable import REST

/// Console, API and command line offer the same operations.
@Suite("The operations of operators")
struct OperatorOperationTests {
    private static let root = "/\(AdminDoor.root)/"

    @Test("every page of the console is in the list, and every place in the list exists")
    func console() throws {
        let mounted = try MountedRoutes.all().filter { $0.contains(" /admin") && !$0.contains(" \(Self.root)") }
        let listed = OperatorOperation.all.flatMap(\.console)
        let routes = Set(listed.map { String($0.prefix { $0 != "?" }) })
        // The questions before an action, and the preview of a form, have no operation of their own.
        let questions: Set = [
            "GET /admin/accounts/{id}/change", "GET /admin/events/{id}/act", "POST /admin/client-preview",
        ]
        #expect(mounted.subtracting(questions).symmetricDifference(routes).sorted() == [])
        #expect(questions.isSubset(of: mounted))
    }

    @Test("every action of the console's pages is in the list once")
    func actions() {
        let listed = OperatorOperation.all.flatMap(\.console).compactMap { place in
            place.split(separator: "=").dropFirst().first.map(String.init)
        }
        let known =
            (AccountAction.all(.form) + AccountAction.ofRoles).map(\.name)
            + EndpointAction.allCases.map(\.rawValue) + MessageAction.allCases.map(\.rawValue)
        #expect(listed.sorted() == known.sorted())
    }

    @Test("every route of the API is in the list, and every one in the list exists")
    func api() throws {
        let mounted = try MountedRoutes.all().filter { $0.contains(" \(Self.root)") }
        let listed = Set(OperatorOperation.all.flatMap(\.api).map { $0.replacing(" ", with: " \(Self.root)") })
        #expect(mounted.symmetricDifference(listed).sorted() == [])
    }

    @Test("every command for operators is in the list, and every one in the list exists")
    func commands() {
        let groups: [any ParsableCommand.Type] = [
            AccountsCommand.self, ClientsCommand.self, ProvidersCommand.self, AuditCommand.self, AdminCommand.self,
            EventsCommand.self, SessionsCommand.self, MessagesCommand.self,
        ]
        let known = groups.flatMap { group in
            group.configuration.subcommands.map { "\(Self.name(group)) \(Self.name($0))" }
        }
        let listed = Set(OperatorOperation.all.flatMap(\.commands))
        #expect(Set(known).symmetricDifference(listed).sorted() == [])
    }

    @Test("an interface lacks an operation only for a stated reason")
    func gaps() {
        for operation in OperatorOperation.all {
            let isEverywhere = ![operation.console, operation.api, operation.commands].contains([])
            #expect(isEverywhere == (operation.gap == nil), "\(operation.name)")
        }
    }

    @Test("docs/admin.md names every operation that an interface lacks, with the reason")
    func documented() throws {
        let page = try Pages.text("docs/admin.md")
        for operation in OperatorOperation.all {
            guard let gap = operation.gap else { continue }
            #expect(page.contains("| \(operation.name) | \(gap) |"), "\(operation.name)")
        }
    }

    /// The name on the command line: `end-sessions` for `EndSessions`.
    private static func name(_ command: any ParsableCommand.Type) -> String { command._commandName }
}
