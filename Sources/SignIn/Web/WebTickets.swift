package import Cryptography
package import Foundation
import JSON

/// Seals the purpose of a link beyond signing in: link to a session, complete a link flow, show a pending flow.
///
/// The ticket is a parameter of the link. It opens only in the browser that was shown the page.
package struct WebTickets: Sendable {
    package struct Ticket: Sendable, Equatable {
        package let client: String
        package let target: LoginTarget.Asked
        package let intent: WebFlow.Intent
        /// The link flow to complete, or the pending flow to show.
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
    /// In seconds.
    private static let life = 600
    private let box: SealedBox

    package init(keys: MasterKeys) {
        box = SealedBox(keys)
    }

    /// - Parameter browser: the value of the browser's form cookie.
    package func seal(_ ticket: Ticket, for browser: String, at now: Date) -> String {
        var object = ticket.json
        object["v"] = 1
        object["b"] = .string(Base64URL.encode(SHA256.hash(browser)))
        object["e"] = .integer(Int(now.timeIntervalSince1970) + Self.life)
        return Base64URL.encode(box.seal(JSON.object(object).bytes(), purpose: Self.purpose))
    }

    /// Nil for an expired ticket, for another browser's, and for a text that this server did not make.
    package func open(_ text: String, for browser: String?, at now: Date) -> Ticket? {
        guard let browser, text.utf8.count <= Self.maximumLength, let sealed = Base64URL.decode(text),
            let bytes = try? box.open(sealed, purpose: Self.purpose), let json = try? JSON(parsing: bytes),
            json["v"]?.integer == 1, let expires = json["e"]?.integer,
            TimeInterval(expires) > now.timeIntervalSince1970,
            let binding = json["b"]?.string.flatMap({ Base64URL.decode($0) }),
            ConstantTime.equal(SHA256.hash(browser), binding)
        else { return nil }
        return Ticket(json)
    }
}

extension WebTickets.Ticket {
    /// Short names: the ticket travels in an address.
    fileprivate var json: JSONObject {
        var object: JSONObject = ["c": .string(client)]
        target.write(to: &object)
        intent.write(to: &object)
        object["f"] = flow.map(JSON.string)
        object["l"] = locales.map(JSON.string)
        return object
    }

    fileprivate init?(_ json: JSON) {
        guard let client = json["c"]?.string, let intent = WebFlow.Intent(json) else { return nil }
        self.init(
            client: client, target: LoginTarget.Asked(json), intent: intent, flow: json["f"]?.string,
            locales: json["l"]?.string)
    }
}
