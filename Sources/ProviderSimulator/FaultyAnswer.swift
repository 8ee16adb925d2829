import HTTPTypes
import JSON

/// The answer after a fault.
///
/// It is pure: the responder makes delays, hangs and broken connections.
enum FaultyAnswer {
    /// The answer without asking the provider, so that no code is spent; nil if the real answer is needed.
    static func instead(of provider: any SimulatedProvider, _ behaviour: Behaviour, elsewhere: String) -> Answer? {
        switch behaviour.mode {
        case .error: failure(of: provider, behaviour)
        case .garbled: Answer(body: .text("{\"keys\":[{\"kty\":\"RSA\",,\u{1}]", type: "application/json"))
        case .html: Answer(body: .text(maintenancePage, type: "text/html; charset=utf-8"))
        case .redirect: Answer(status: .found, headers: [.location: elsewhere], body: .none)
        case .normal, .slow, .huge, .empty, .hang, .truncated, .duplicateKid: nil
        }
    }

    /// The changed answer of the provider; a page stays unchanged.
    static func change(_ answer: Answer, _ mode: Behaviour.Mode) -> Answer {
        var changed = answer
        switch answer.body {
        case .json(.object(let members)): changed.body = .json(.object(change(members, mode)))
        case .json(.array(let items)): changed.body = .json(.array(change(items, mode)))
        case .json, .text, .none: break
        }
        return changed
    }

    private static func change(_ members: JSONObject, _ mode: Behaviour.Mode) -> JSONObject {
        switch mode {
        case .huge: padded(members)
        case .empty: members["keys"] == nil ? [:] : ["keys": []]
        case .duplicateKid: duplicated(members)
        case .normal, .slow, .error, .garbled, .html, .redirect, .hang, .truncated: members
        }
    }

    private static func change(_ items: [JSON], _ mode: Behaviour.Mode) -> [JSON] {
        switch mode {
        case .huge: [.object(padded([:]))] + items
        case .empty: []
        case .normal, .slow, .error, .garbled, .html, .redirect, .hang, .truncated, .duplicateKid: items
        }
    }

    private static func failure(of provider: any SimulatedProvider, _ behaviour: Behaviour) -> Answer {
        var refusal = Refusal(.init(code: behaviour.status), provider.failureWord, "Service unavailable")
        if let seconds = behaviour.retryAfter { refusal.headers[.retryAfter] = String(seconds) }
        return .refusal(refusal, body: provider.body(of: refusal))
    }

    private static func padded(_ members: JSONObject) -> JSONObject {
        let padding: JSONObject = ["padding": .string(String(repeating: "x", count: 10 << 20))]
        return padding.overridden(by: members)
    }

    /// Repeats every key with the id of its neighbour.
    private static func duplicated(_ members: JSONObject) -> JSONObject {
        let keys = members["keys"]?.array ?? []
        let neighbours = keys.dropFirst() + keys.prefix(1)
        let doubles = zip(keys, neighbours).map { key, neighbour in
            JSON.object((neighbour.object ?? [:]).overridden(by: ["kid": key["kid"] ?? .null]))
        }
        return members.overridden(by: ["keys": .array(keys + doubles)])
    }

    private static let maintenancePage = """
        <!DOCTYPE html><html><head><title>Maintenance</title></head>
        <body><h1>We'll be right back</h1></body></html>
        """
}
