import JSON

/// The parameters of an authorization request, as sent: each at most once, except `resource` (RFC 8707 §2).
package struct AuthorizationParameters: Sendable {
    /// In order, without empty ones.
    ///
    /// A request has few, so the search of a name is short.
    private let fields: [(name: String, value: String)]

    /// In bytes, of all parameters together.
    private static let mostBytes = 16_384
    private static let repeatable = "resource"

    /// The members of client authentication, which a pushed request has beside the parameters (RFC 9126 §2.1).
    private static let credentials = ["client_secret", "client_assertion", "client_assertion_type"]

    /// - Parameter sent: the parameters in order. Empty ones count as absent (RFC 6749 §3.1).
    package init(_ sent: [(name: String, value: String)]) {
        fields = sent.filter { !$0.value.isEmpty && !Self.credentials.contains($0.name) }
    }

    /// Returns the parameters with the id of the authenticated client, which the form may omit.
    package func naming(client: String) -> AuthorizationParameters {
        adding("client_id", client)
    }

    /// Returns the parameters with the key that a pushed request proved (RFC 9449 §10.1).
    package func naming(key: String?) -> AuthorizationParameters {
        key.map { adding("dpop_jkt", $0) } ?? self
    }

    private func adding(_ name: String, _ value: String) -> AuthorizationParameters {
        fields.contains { $0 == (name, value) } ? self : AuthorizationParameters(fields + [(name, value)])
    }

    /// A parameter; nil if it is absent, the first one if it is repeated.
    package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    package var resources: [String] { values(Self.repeatable) }

    private func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// - Throws: `invalid_request` for a repeated parameter, and for too long ones.
    func check() throws(AuthorizationFault) {
        var seen: Set<String> = []
        if let repeated = fields.first(where: { $0.name != Self.repeatable && !seen.insert($0.name).inserted }) {
            throw .invalid(Self.shown(repeated.name), "given more than once")
        }
        let bytes = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
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
        for name in Set(fields.map(\.name)).sorted() { object[name] = .array(values(name).map(JSON.string)) }
        return .object(object)
    }

    init(_ json: JSON) {
        let members = (json.object ?? [:]).members
        fields = members.flatMap { member in
            (member.value.array ?? []).compactMap(\.string).map { (member.name, $0) }
        }
    }
}
