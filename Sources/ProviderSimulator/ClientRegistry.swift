import FoundationEssentials
import HTTPTypes
import JSON
import Synchronization

/// The caller of a token endpoint, and whether a secret authenticated it.
struct PresentedClient: Sendable, Equatable {
    let id: String
    let isAuthenticated: Bool
    /// The form parameters of its authentication.
    let formMembers: Set<String>
}

/// The clients of a provider with shared secrets, by Basic or in the form (RFC 6749 §2.3.1).
///
/// A client in a mint order is then registered with the same secret.
final class ClientRegistry: Sendable {
    private let secret: String
    private let usual: String
    private let clients: Mutex<Set<String>>

    init(secret: String, usual: String) {
        self.secret = secret
        self.usual = usual
        clients = Mutex([usual])
    }

    func register(_ client: String) {
        _ = clients.withLock { $0.insert(client) }
    }

    func reset() {
        clients.withLock { $0 = [usual] }
    }

    func contains(_ client: String) -> Bool {
        clients.withLock { $0.contains(where: client.hasSameBytes) }
    }

    /// Throws 401 `invalid_client` for an unknown client or a wrong secret, and 400 for two methods at once.
    func identify(_ form: Parameters, _ request: Received) throws(Refusal) -> PresentedClient {
        if let header = try request.header("authorization") { return try basic(header, form) }
        guard let id = form["client_id"] else { throw refusal("no client id") }
        try expect(id, secret: form["client_secret"])
        let hasSecret = form["client_secret"] != nil
        return PresentedClient(
            id: id, isAuthenticated: hasSecret, formMembers: hasSecret ? ["client_id", "client_secret"] : ["client_id"])
    }

    func refusal(_ reason: String, challenge: Bool = false) -> Refusal {
        var refusal = Refusal(.unauthorized, "invalid_client", "Client authentication failed", reason: reason)
        if challenge { refusal.headers[.wwwAuthenticate] = "Basic" }
        return refusal
    }

    private func basic(_ header: String, _ form: Parameters) throws(Refusal) -> PresentedClient {
        guard form["client_secret"] == nil else { throw .invalidRequest("the client authenticated in two ways") }
        guard let (id, secret) = Self.credentials(header) else {
            throw refusal("the Basic header is malformed", challenge: true)
        }
        try expect(id, secret: secret)
        guard let repeated = form["client_id"] else {
            return PresentedClient(id: id, isAuthenticated: true, formMembers: [])
        }
        guard repeated.hasSameBytes(as: id) else { throw .invalidRequest("client_id is not that of the Basic header") }
        return PresentedClient(id: id, isAuthenticated: true, formMembers: ["client_id"])
    }

    private func expect(_ id: String, secret presented: String?) throws(Refusal) {
        guard contains(id) else { throw refusal("the client id is not known") }
        guard let presented else { return }
        guard presented.hasSameBytes(as: secret) else { throw refusal("the client secret is wrong") }
    }

    /// Id and secret, which are form-encoded before they are joined (RFC 6749 §2.3.1).
    private static func credentials(_ header: String) -> (id: String, secret: String)? {
        guard header.lowercased().hasPrefix("basic "),
            let joined = Data(base64Encoded: String(header.dropFirst(6))),
            let colon = joined.firstIndex(of: UInt8(ascii: ":")),
            let id = Parameters.decodedText(joined[..<colon]),
            let secret = Parameters.decodedText(joined[(colon + 1)...])
        else { return nil }
        return (id, secret)
    }
}
