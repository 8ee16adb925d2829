import Cryptography
package import Foundation
import JSON

/// One redirect to a provider, under way.
///
/// It travels as the sealed `state`, so that a flow that nobody finishes costs no row; finishing one spends it in the
/// statement that makes the session.
package struct WebFlow: Sendable, Equatable {
    package enum Intent: Sendable, Equatable {
        case signIn
        /// To join the identity to the account of that session; only a page of that session starts such a flow.
        case link(session: UUID)
    }

    /// Names the cookie, so that each tab has its own.
    let id: String
    /// SHA-256 of what the browser's cookie holds.
    let binding: [UInt8]
    let expires: Date
    package let provider: String
    package let client: String
    package let intent: Intent
    package let target: LoginTarget.Asked
    /// The link flow that this sign-in is to prove.
    package let linkFlow: String?
    package let locales: String?
    /// Whether the person is to prove themselves anew.
    let isReauthentication: Bool

    /// In seconds.
    package static let life = 600

    /// When the flow was begun; in whole seconds.
    var begun: Date { expires.addingTimeInterval(-TimeInterval(Self.life)) }

    init(
        id: String, binding: [UInt8], expires: Date, provider: String, client: String, intent: Intent,
        target: LoginTarget.Asked, linkFlow: String?, locales: String?, isReauthentication: Bool = false
    ) {
        (self.id, self.binding, self.expires, self.provider) = (id, binding, expires, provider)
        (self.client, self.intent, self.target) = (client, intent, target)
        (self.linkFlow, self.locales, self.isReauthentication) = (linkFlow, locales, isReauthentication)
    }
}

extension WebFlow {
    /// Short names: the state travels in an address.
    var json: JSON {
        var object: JSONObject = [
            "v": 1, "i": .string(id), "b": .string(Data(binding).base64EncodedString()),
            "e": .integer(Int(expires.timeIntervalSince1970)), "p": .string(provider), "c": .string(client),
        ]
        if case .link(let session) = intent { object["s"] = .string(session.text) }
        object["r"] = target.redirectURI.map(JSON.string)
        object["t"] = target.state.map(JSON.string)
        object["k"] = target.challenge.map(JSON.string)
        object["o"] = target.returnTo.map(JSON.string)
        object["f"] = linkFlow.map(JSON.string)
        object["l"] = locales.map(JSON.string)
        if isReauthentication { object["a"] = true }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard json["v"]?.integer == 1, let id = json["i"]?.string,
            let binding = json["b"]?.string.flatMap({ Data(base64Encoded: $0) }), let expires = json["e"]?.integer,
            let provider = json["p"]?.string, let client = json["c"]?.string
        else { return nil }
        var intent = Intent.signIn
        if let session = json["s"] {
            guard let session = session.string.flatMap(UUID.init(text:)) else { return nil }
            intent = .link(session: session)
        }
        self.init(
            id: id, binding: Array(binding), expires: Date(timeIntervalSince1970: TimeInterval(expires)),
            provider: provider, client: client, intent: intent,
            target: LoginTarget.Asked(
                redirectURI: json["r"]?.string, state: json["t"]?.string, challenge: json["k"]?.string,
                returnTo: json["o"]?.string),
            linkFlow: json["f"]?.string, locales: json["l"]?.string, isReauthentication: json["a"] == true)
    }
}
