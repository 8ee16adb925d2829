import Audit
import Foundation
import Testing

@testable import OperatorAccess

/// The names of events come from one list; the sources are the measure of its completeness.
@Suite("The names of audit events")
struct AuditEventNamesTests {
    private static let folders = (Pages.rooms + Pages.gatewayModules).map { "Sources/\($0)" }

    /// The operations of calls, and the rows that Swift writes by itself.
    private static func written() throws -> Set<String> {
        var found: Set<String> = []
        for folder in folders {
            for file in try Pages.swiftFiles(folder) {
                let text = try Pages.text(file)
                for pattern in [
                    /(?:answer|answerSignedIn|changing|audit|record)\("([a-z]+(?:_[a-z]+)*)"/,
                    /values \('([a-z]+(?:_[a-z]+)*)', 'done'/, /action: "([a-z]+(?:_[a-z]+)*)"/,
                ] {
                    found.formUnion(text.matches(of: pattern).map { String($0.output.1) })
                }
            }
        }
        return found
    }

    @Test("every event that Swift writes has a name, and so has every refused action of an operator")
    func complete() throws {
        let written = try Self.written()
        #expect(written.count > 50 && written.isSuperset(of: ["login_page", "client_added", "audit_exported"]))
        let named = Set(AuditEventNames.all)
        #expect(written.subtracting(named).sorted() == [])
        #expect(AdminAction.allCases.map(\.rawValue).filter { !named.contains($0) } == [])
    }

    @Test("every event that SQL writes has a name")
    func sql() throws {
        let root = "Sources/Postgres/Functions"
        let names = FileManager.default.enumerator(atPath: Configurations.root.appending(path: root).path)
        let files = (names?.allObjects ?? []).compactMap { $0 as? String }
        var written: Set<String> = []
        for file in files where file.hasSuffix(".sql") {
            let text = try Pages.text("\(root)/\(file)")
            guard text.contains("audit_inbox") else { continue }
            written.formUnion(text.matches(of: /'([a-z]+(?:_[a-z]+)+)', 'done'/).map { String($0.output.1) })
        }
        #expect(written.isSuperset(of: ["password_set", "account_created", "sessions_revoked"]))
        #expect(written.subtracting(AuditEventNames.all).sorted() == [])
    }

    @Test("The list is sorted and names each event once")
    func order() {
        #expect(AuditEventNames.all == AuditEventNames.all.sorted())
        #expect(Set(AuditEventNames.all).count == AuditEventNames.all.count)
    }
}
