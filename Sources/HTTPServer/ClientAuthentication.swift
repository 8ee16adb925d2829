package import Clients
import Foundation
package import Hummingbird
package import Sessions
import Vocabulary

/// The authentication of a client that calls: by HTTP Basic or by form (RFC 6749 §2.3.1), or by an assertion, never by two.
package struct ClientAuthentication: Sendable {
    private let clients: ClientRegistry
    /// Nil where no assertion is taken.
    private let assertions: ClientAssertions?

    package init(clients: ClientRegistry, assertions: ClientAssertions? = nil) {
        (self.clients, self.assertions) = (clients, assertions)
    }

    /// The authentication that an endpoint requires.
    package enum Proof: Sendable {
        /// The secret of a confidential client, or of a public client's back end.
        case secret
        /// The secret of a confidential client; only the name of a public one.
        case kind
    }

    /// The calling client.
    package func client(
        _ request: Request, _ form: FormBody, _ call: inout DoorCall, by proof: Proof
    ) async throws -> Client {
        if let assertion = form["client_assertion"] { return try await client(of: assertion, request, form, &call) }
        let basic = try Self.basicCredentials(request)
        let named = (id: form["client_id"], secret: form["client_secret"])
        guard let client = try client(named, basic, &call, by: proof) else {
            throw Rejection.clientAuthenticationFailed
        }
        return client
    }

    /// The client of an assertion (RFC 7523 §3), which proves more than any endpoint demands.
    private func client(
        of assertion: String, _ request: Request, _ form: FormBody, _ call: inout DoorCall
    ) async throws -> Client {
        guard form["client_secret"] == nil, !request.headers.contains(.authorization) else {
            throw Problem.invalidMember("/client_assertion", "beside_another_method")
        }
        guard form["client_assertion_type"] == ClientAssertion.type else {
            throw Problem.invalidMember("/client_assertion_type", "not_offered")
        }
        guard let assertions else { throw Rejection.clientAuthenticationFailed }
        let client = try await assertions.client(of: assertion, among: clients, caller: call.caller)
        guard form["client_id"].map({ $0 == client.publicID }) ?? true else {
            throw Problem.invalidMember("/client_id", "not_of_the_assertion")
        }
        call.clientID = client.id
        return client
    }

    /// The client that a call names; nil if it names none.
    ///
    /// A bearer token does not identify the client: apps often send one needlessly.
    package func clientIfNamed(
        _ request: Request, id: String?, secret: String?, _ call: inout DoorCall
    ) throws -> Client? {
        let isBasic = request.headers.credentials(.basic) != nil
        return try client((id, secret), isBasic ? try Self.basicCredentials(request) : [], &call, by: .kind)
    }

    private func client(
        _ named: (id: String?, secret: String?), _ basic: [Credentials], _ call: inout DoorCall, by proof: Proof
    ) throws -> Client? {
        guard basic.isEmpty || named.secret == nil else {
            throw Problem.invalidMember("/client_secret", "beside_http_basic")
        }
        if let id = named.id, !basic.isEmpty, !basic.contains(where: { $0.id == id }) {
            throw Problem.invalidMember("/client_id", "not_of_http_basic")
        }
        guard !basic.isEmpty || named.id != nil else {
            guard named.secret == nil else { throw Rejection.clientAuthenticationFailed }
            return nil
        }
        let presented = basic.isEmpty ? [Credentials(id: named.id ?? "", secret: named.secret ?? "")] : basic
        for credentials in presented {
            guard let client = clients.client(credentials.id) else { continue }
            call.clientID = client.id
            if Self.isProved(client, by: credentials.secret, proof) { return client }
        }
        throw Rejection.clientAuthenticationFailed
    }

    private struct Credentials: Equatable {
        let id: String
        let secret: String

        init(id: String, secret: String) { (self.id, self.secret) = (id, secret) }

        /// Nil for a half that `text` can't read.
        init?(_ halves: [ArraySlice<UInt8>], _ text: (ArraySlice<UInt8>) -> String?) {
            guard let id = text(halves[0]), let secret = text(halves[1]) else { return nil }
            self.init(id: id, secret: secret)
        }
    }

    /// Accepts an empty secret of a client without a secret.
    ///
    /// RFC 6749 §2.3.1 lets such a client omit it, but some libraries send it.
    private static func isProved(_ client: Client, by secret: String, _ proof: Proof) -> Bool {
        guard !client.openID.hasKeys else { return false }
        return switch (proof, client.kind) {
        case (.kind, .public): secret.isEmpty
        case (.secret, _), (.kind, .confidential): client.authenticates(secret: secret)
        }
    }

    /// The Basic credentials: both halves form-encoded inside (RFC 6749 §2.3.1), and as they are.
    ///
    /// Many clients do not encode them. Empty without the header.
    private static func basicCredentials(_ request: Request) throws(Rejection) -> [Credentials] {
        guard request.headers.contains(.authorization) else { return [] }
        guard let credentials = request.headers.credentials(.basic), let bytes = Data(base64Encoded: credentials) else {
            throw .clientAuthenticationFailed
        }
        let halves = Array(bytes).split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let raw = Credentials(halves, { String(validating: $0, as: UTF8.self) }) else {
            throw .clientAuthenticationFailed
        }
        guard let decoded = Credentials(halves, FormBody.decoded), decoded != raw else { return [raw] }
        return [decoded, raw]
    }
}
