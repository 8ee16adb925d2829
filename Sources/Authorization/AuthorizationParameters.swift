import JSON

/// The parameters of an authorization request, as sent: each at most once, except `resource` (RFC 8707 §2).
package struct AuthorizationParameters: Sendable, Equatable {
    private let values: [String: [String]]

    /// In bytes, of all parameters together.
    private static let mostBytes = 16_384
    private static let repeatable = "resource"

    /// The members of client authentication, which a pushed request has beside the parameters (RFC 9126 §2.1).
    private static let credentials: Set<String> = ["client_secret", "client_assertion", "client_assertion_type"]

    /// - Parameter sent: the parameters in order. Empty ones count as absent (RFC 6749 §3.1).
    package init(_ sent: [(name: String, value: String)]) {
        let kept = sent.filter { !$0.value.isEmpty && !Self.credentials.contains($0.name) }
        values = Dictionary(grouping: kept, by: \.name).mapValues { $0.map(\.value) }
    }

    /// Returns the parameters with the id of the authenticated client, which the form may omit.
    package func naming(client: String) -> AuthorizationParameters {
        AuthorizationParameters(values: values.merging(["client_id": [client]]) { $0.contains(client) ? $0 : $0 + $1 })
    }

    /// Returns the parameters with the key that a pushed request proved (RFC 9449 §10.1).
    package func naming(key: String?) -> AuthorizationParameters {
        guard let key else { return self }
        return AuthorizationParameters(values: values.merging(["dpop_jkt": [key]]) { $0.contains(key) ? $0 : $0 + $1 })
    }

    private init(values: [String: [String]]) { self.values = values }

    /// A parameter; nil if it is absent, the first one if it is repeated.
    package subscript(_ name: String) -> String? { values[name]?.first }

    package var resources: [String] { values[Self.repeatable] ?? [] }

    /// - Throws: `invalid_request` for a repeated parameter, and for too long ones.
    func check() throws(AuthorizationFault) {
        if let repeated = values.first(where: { $0.value.count > 1 && $0.key != Self.repeatable }) {
            throw .invalid(Self.shown(repeated.key), "given more than once")
        }
        let bytes = values.reduce(0) { $0 + $1.value.reduce($1.key.utf8.count) { $0 + $1.utf8.count } }
        guard bytes <= Self.mostBytes else { throw .invalid("request", "longer than \(Self.mostBytes) bytes") }
    }

    /// The name of a parameter for a description: nothing that a stranger invents.
    private static func shown(_ name: String) -> String {
        name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") } && name.utf8.count <= 40
            ? name : "parameter"
    }
}

/// The form in which a request is stored.
extension AuthorizationParameters {
    var json: JSON {
        var object: JSONObject = [:]
        for name in values.keys.sorted() { object[name] = .array((values[name] ?? []).map(JSON.string)) }
        return .object(object)
    }

    init(_ json: JSON) {
        let members = (json.object ?? [:]).members
        values = Dictionary(
            members.map { ($0.name, ($0.value.array ?? []).compactMap(\.string)) },
            uniquingKeysWith: { first, _ in first })
    }
}
