import Cryptography
import Foundation
import Testing

@testable import Messages

@Suite("Tickets to disown a sign-in")
struct DisownTicketTests {
    private static let now = Date(timeIntervalSince1970: 1_795_264_496)

    private func ticket(expiresIn seconds: Int = DisownTickets.life) -> DisownTicket {
        DisownTicket(
            account: UUID(), session: UUID(), expires: Self.now.addingTimeInterval(TimeInterval(seconds)))
    }

    private func tickets(_ key: String = "k1") throws -> DisownTickets { DisownTickets(keys: try TestKeys.keys(key)) }

    @Test("a ticket opens until its expiry")
    func expiry() throws {
        let (tickets, ticket) = (try tickets(), ticket())
        let text = tickets.text(ticket)
        #expect(tickets.open(text, at: Self.now) == ticket)
        #expect(tickets.open(text, at: ticket.expires.addingTimeInterval(-1)) == ticket)
        #expect(tickets.open(text, at: ticket.expires) == nil)
    }

    @Test("S-22: a changed ticket, one under another key, and one for another purpose do not open")
    func forged() throws {
        let tickets = try tickets()
        let text = tickets.text(ticket())
        for place in [3, 20, text.count - 2] {
            var changed = Array(text)
            changed[place] = changed[place] == "A" ? "B" : "A"
            #expect(tickets.open(String(changed), at: Self.now) == nil)
        }
        #expect(tickets.open(try self.tickets("k2").text(ticket()), at: Self.now) == nil)
        let box = SealedBox(try TestKeys.keys("k1"))
        for purpose in ["merge ticket", "web ticket"] {
            let other = "nd_" + Base64URL.encode(box.seal([UInt8](repeating: 255, count: 40), purpose: purpose))
            #expect(tickets.open(other, at: Self.now) == nil)
        }
        for text in ["", "nd_", "nd_AA", String(repeating: "A", count: 500)] {
            #expect(tickets.open(text, at: Self.now) == nil)
        }
    }

    @Test("two tickets for one sign-in differ, and neither shows its ids")
    func sealed() throws {
        let (tickets, ticket) = (try tickets(), ticket())
        let texts = [tickets.text(ticket), tickets.text(ticket)]
        #expect(texts[0] != texts[1])
        #expect(texts.allSatisfy { !$0.contains(Base64URL.encode(ticket.session.bytes)) })
    }
}
