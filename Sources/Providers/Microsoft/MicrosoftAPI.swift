import JSON
import Outbound

/// The native authentication API of an external tenant, version 1: forms in, JSON out.
///
/// Page: "Native authentication API reference" (learn.microsoft.com/entra/identity-platform).
struct MicrosoftAPI: Sendable {
    /// The raw value is the path below the authority.
    enum Operation: String, Sendable {
        case initiate = "oauth2/v2.0/initiate"
        case challenge = "oauth2/v2.0/challenge"
        case introspect = "oauth2/v2.0/introspect"
        case token = "oauth2/v2.0/token"
        case signUpStart = "signup/v1.0/start"
        case signUpChallenge = "signup/v1.0/challenge"
        case signUpContinue = "signup/v1.0/continue"
        case resetStart = "resetpassword/v1.0/start"
        case resetChallenge = "resetpassword/v1.0/challenge"
        case resetContinue = "resetpassword/v1.0/continue"
        case resetSubmit = "resetpassword/v1.0/submit"
        case resetPoll = "resetpassword/v1.0/poll_completion"
        case registerIntrospect = "register/v1.0/introspect"
        case registerChallenge = "register/v1.0/challenge"
        case registerContinue = "register/v1.0/continue"
    }

    enum Reply: Sendable {
        case success(MicrosoftMembers)
        /// Only a browser can continue.
        case redirect
        case refused(MicrosoftRefusal)
    }

    typealias Fields = [(String, String)]

    /// The base of the tenants' paths.
    let base: String
    /// A domain or a GUID, in the operator's spelling.
    let tenant: String
    let clientID: String
    let upstream: Upstream
    let pacer: MicrosoftPacer

    /// Calls once, or twice if the first call cannot have had an effect.
    ///
    /// - Parameter authority: the tenant's GUID, for the calls that require it instead of the tenant.
    /// - Throws: `unavailable` for anything that is not an answer of the API.
    func call(
        _ operation: Operation, _ fields: Fields, authority: String? = nil, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> Reply {
        let request = HTTPRequest.form(
            "\(base)/\(authority ?? tenant)/\(operation.rawValue)", [("client_id", clientID)] + fields,
            headers: [(name: "Accept", value: "application/json")])
        let response = try await send(operation, request, by: deadline)
        let members = Upstream.object(in: response).map(MicrosoftMembers.init)
        let refusal = members.flatMap(MicrosoftRefusal.init)
        note(operation, response, refusal)
        try checkStanding(response)
        guard let members else { throw upstream.failure("upstream_malformed") }
        // This check precedes the status, since the API's page calls it an answer in one place and an error in another.
        if members.text("challenge_type") == "redirect" { return .redirect }
        if let refusal { return .refused(refusal) }
        guard response.status == 200 else { throw upstream.failure("upstream_malformed") }
        return .success(members)
    }
}

/// The members of an answer, read leniently: words lose surrounding blanks, numbers may be texts.
struct MicrosoftMembers: Sendable {
    private let members: [String: JSON]

    init(_ object: JSONObject) {
        members = Dictionary(
            object.members.map { (Self.trimmed($0.name), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for an empty text too.
    func text(_ name: String) -> String? {
        guard let text = members[name]?.string.map(Self.trimmed), !text.isEmpty else { return nil }
        return text
    }

    func number(_ name: String) -> Int? {
        members[name]?.integer ?? text(name).flatMap { Int($0) }
    }

    /// The token is opaque, so it stays unchanged.
    var token: String? {
        members["continuation_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    func numbers(_ name: String) -> [Int] {
        (members[name]?.array ?? []).compactMap { $0.integer ?? $0.string.flatMap { Int(Self.trimmed($0)) } }
    }

    func objects(_ name: String) -> [MicrosoftMembers] {
        (members[name]?.array ?? []).compactMap { $0.object.map(MicrosoftMembers.init) }
    }

    /// Whether a member is explicitly false.
    func isFalse(_ name: String) -> Bool {
        members[name] == .bool(false) || text(name) == "false"
    }

    private static func trimmed(_ text: String) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
