package import Cryptography
package import Foundation
import JSON

/// What a link of one of our pages does beyond signing in: link to a session, prove a link flow, look after a flow that
/// waits.
///
/// It stands in the address of a link, sealed and good only in the browser that was shown the page: followed from
/// anywhere else, or by anybody else, it says nothing and does nothing.
package struct WebTickets: Sendable {
    package struct Ticket: Sendable, Equatable {
        package let client: String
        package let target: LoginTarget.Asked
        package let intent: WebFlow.Intent
        /// A flow that it goes on with: one to be proved, or one that waits.
        package let flow: String?
        package let locales: String?

        package init(
            client: String, target: LoginTarget.Asked, intent: WebFlow.Intent = .signIn, flow: String? = nil,
            locales: String? = nil
        ) {
            (self.client, self.target, self.intent) = (client, target, intent)
            (self.flow, self.locales) = (flow, locales)
        }
    }

    private static let purpose = "web ticket"
    private static let maximumLength = 6_144
    private let box: SealedBox

    package init(keys: MasterKeys, random: RandomBytes = .system) {
        box = SealedBox(keys, random: random)
    }

    /// - Parameter browser: what only the browser holds that the page is shown in.
    package func seal(_ ticket: Ticket, for browser: String, at now: Date) -> String {
        // A flow that has no provider and no cookie yet is what a ticket is.
        let flow = WebFlow(
            id: "", binding: SHA256.hash(browser), expires: now.addingTimeInterval(TimeInterval(WebFlow.life)),
            provider: "", client: ticket.client, intent: ticket.intent, target: ticket.target,
            linkFlow: ticket.flow, locales: ticket.locales)
        return Base64URL.encode(box.seal(flow.json.bytes(), purpose: Self.purpose))
    }

    /// Nil for what was never ours, is over, or belongs to another browser.
    package func open(_ text: String, for browser: String?, at now: Date) -> Ticket? {
        guard let browser, text.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(text),
            let bytes = try? box.open(sealed, purpose: Self.purpose),
            let flow = (try? JSON(parsing: bytes)).flatMap(WebFlow.init), flow.expires > now,
            ConstantTime.equal(SHA256.hash(browser), flow.binding)
        else { return nil }
        return Ticket(
            client: flow.client, target: flow.target, intent: flow.intent, flow: flow.linkFlow,
            locales: flow.locales)
    }
}
