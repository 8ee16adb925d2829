import Cryptography
import Foundation
import Postgres
import Testing

@testable import Audit

@Suite("The audit chain")
struct AuditChainTests {
    private static let event = AuditEvent(
        id: 258, at: Date(timeIntervalSince1970: 0.000_001), action: "ab", outcome: "done", reason: "c",
        accountID: UUID(uuidString: "01A1FE3F-AD60-7CC1-B0F3-6F3E6F1F2B1D"), detail: "{\"n\": 1}")

    private static func chain(_ id: String = "k1", _ byte: UInt8 = 1) throws -> AuditChain {
        AuditChain(keys: try MasterKeys("\(id):" + Base64URL.encode([UInt8](repeating: byte, count: 32))))
    }

    @Test("the canonical form consists of the present names and values, each with its length")
    func canonical() {
        func number(_ value: UInt8...) -> [UInt8] { [UInt8](repeating: 0, count: 8 - value.count) + value }
        func text(_ text: String) -> [UInt8] { number(UInt8(text.utf8.count)) + Array(text.utf8) }
        var expected = Array("gateway audit row 1".utf8)
        expected += text("id") + number(8) + number(1, 2)
        expected += text("at") + number(8) + number(1)
        for (name, value) in [
            ("action", "ab"), ("outcome", "done"), ("reason", "c"),
            ("account_id", "01a1fe3f-ad60-7cc1-b0f3-6f3e6f1f2b1d"), ("detail", "{\"n\": 1}"),
        ] {
            expected += text(name) + text(value)
        }
        #expect(AuditChain.bytes(of: Self.event) == expected)
    }

    private static let changes: [@Sendable (inout AuditEvent) -> Void] = [
        { $0.id += 1 }, { $0.at += 0.000_001 }, { $0.action = "a" }, { $0.outcome = "refused" },
        { $0.reason = nil }, { $0.accountID = UUID() }, { $0.identityID = $0.accountID },
        { $0.sessionID = $0.accountID }, { $0.clientID = "" }, { $0.provider = "" }, { $0.address = "" },
        { $0.requestID = "" }, { $0.detail = nil }, { $0.actorID = $0.accountID }, { $0.words = "" },
        { ($0.action, $0.reason) = ("a", "bc") }, { ($0.reason, $0.clientID) = (nil, "c") },
    ]

    @Test("no two rows have the same form: each column and its position count")
    func unambiguous() throws {
        var forms: Set<[UInt8]> = [AuditChain.bytes(of: Self.event)]
        for change in Self.changes {
            var event = Self.event
            change(&event)
            #expect(forms.insert(AuditChain.bytes(of: event)).inserted, "\(event)")
        }
    }

    @Test("a link depends on its events, their order, its position, the previous digest and the key")
    func links() throws {
        let chain = try Self.chain()
        var second = Self.event
        (second.id, second.at) = (259, second.at + 2)
        let link = chain.link([Self.event, second], from: 7, after: AuditChain.origin)
        #expect(link.keyID == "k1" && link.rowDigests.map(\.count) == [32, 32] && link.digest.count == 32)
        #expect(link.positions == 7...8 && link.eventIDs == [258, 259])
        #expect(link.firstAt == Self.event.at && link.lastAt == second.at)
        #expect(chain.digest(of: link, after: AuditChain.origin) == link.digest)
        #expect(chain.digest(of: link, after: link.digest) != link.digest)
        #expect(try Self.chain("k2").digest(of: link, after: AuditChain.origin) == nil)
        #expect(try Self.chain("k1", 2).digest(of: link, after: AuditChain.origin) != link.digest)
        let changes: [(inout ChainLink) -> Void] = [
            { $0.position = 9 }, { $0.eventIDs[0] = 1 }, { $0.firstAt += 1 }, { $0.lastAt += 1 },
            { $0.rowDigests[1][0] ^= 1 },
            { $0.eventIDs.swapAt(0, 1) }, { $0.rowDigests.swapAt(0, 1) }, { $0.eventIDs.removeLast() },
        ]
        for change in changes {
            var other = link
            change(&other)
            #expect(chain.digest(of: other, after: AuditChain.origin) != link.digest)
        }
    }

    @Test("every column of the table is a column of the event, which is sealed")
    func columns() async throws {
        try await withAudit { audit in
            let names = try await audit.pool.withConnection { connection in
                try connection.query(
                    "select column_name::text from information_schema.columns where table_name = 'audit_events'"
                ).map { try $0.value(0, as: String.self) }
            }
            #expect(Set(names) == Set(AuditEvent.columnNames))
        }
    }

    @Test("a head is read as written, and other text is refused")
    func heads() {
        let head = AuditHead(position: 12, digest: [UInt8](repeating: 0xAB, count: 32))
        #expect(AuditHead(head.text) == head)
        for text in ["", "12", "12:", "12:ab", ":" + head.text, "-1:" + String(repeating: "ab", count: 32)] {
            #expect(AuditHead(text) == nil, "\(text)")
        }
    }
}
