package import Foundation
import JSON

/// One redirect to a provider.
///
/// It travels as the sealed `state`, so that an abandoned flow costs no row. The statement that makes the session spends
/// it.
package struct WebFlow: Sendable, Equatable {
    package enum Intent: Sendable, Equatable {
        case signIn
        /// Links the identity to the account of the session; only a page of that session starts such a flow.
        case link(session: UUID)
    }

    /// Part of the cookie's name, so that each tab has its own cookie.
    let id: String
    /// The SHA-256 digest of the cookie's value.
    let binding: [UInt8]
    let expires: Date
    package let provider: String
    package let client: String
    package let intent: Intent
    package let target: LoginTarget.Asked
    /// The link flow that the sign-in completes.
    package let linkFlow: String?
    package let locales: String?
    /// Whether the provider must ask for the credential again.
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
        intent.write(to: &object)
        target.write(to: &object)
        object["f"] = linkFlow.map(JSON.string)
        object["l"] = locales.map(JSON.string)
        if isReauthentication { object["a"] = true }
        return .object(object)
    }

    init?(_ json: JSON) {
        guard json["v"]?.integer == 1, let id = json["i"]?.string,
            let binding = json["b"]?.string.flatMap({ Data(base64Encoded: $0) }), let expires = json["e"]?.integer,
            let provider = json["p"]?.string, let client = json["c"]?.string, let intent = Intent(json)
        else { return nil }
        self.init(
            id: id, binding: Array(binding), expires: Date(timeIntervalSince1970: TimeInterval(expires)),
            provider: provider, client: client, intent: intent,
            target: LoginTarget.Asked(json),
            linkFlow: json["f"]?.string, locales: json["l"]?.string, isReauthentication: json["a"] == true)
    }
}

extension WebFlow.Intent {
    func write(to object: inout JSONObject) {
        if case .link(let session) = self { object["s"] = .string(session.text) }
    }

    /// Nil for an id that is malformed.
    init?(_ json: JSON) {
        guard let session = json["s"] else {
            self = .signIn
            return
        }
        guard let session = session.string.flatMap(UUID.init(text:)) else { return nil }
        self = .link(session: session)
    }
}

extension LoginTarget.Asked {
    func write(to object: inout JSONObject) {
        object["r"] = redirectURI.map(JSON.string)
        object["t"] = state.map(JSON.string)
        object["k"] = challenge.map(JSON.string)
        object["o"] = returnTo.map(JSON.string)
        object["q"] = scope.map(JSON.string)
        object["n"] = nonce.map(JSON.string)
        object["m"] = responseMode.map(JSON.string)
        object["d"] = dialect.map(JSON.string)
    }

    init(_ json: JSON) {
        self.init(
            redirectURI: json["r"]?.string, state: json["t"]?.string, challenge: json["k"]?.string,
            returnTo: json["o"]?.string, scope: json["q"]?.string, nonce: json["n"]?.string,
            responseMode: json["m"]?.string, dialect: json["d"]?.string)
    }
}
