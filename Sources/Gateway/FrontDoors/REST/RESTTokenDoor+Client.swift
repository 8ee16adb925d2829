import Foundation
import Hummingbird
import JSON
import Sessions

extension RESTTokenDoor {
    /// Who must prove what.
    enum ClientProof {
        /// The secret: of a confidential client, or of a public one's back end.
        case secret
        /// The secret of a confidential client, and nothing but the name of a public one.
        case kind
    }

    /// What a body says of the client that asks.
    struct NamedClient {
        let id: String?
        let secret: String?
    }

    /// The client that asks: by HTTP Basic or by form (RFC 6749 §2.3.1), never by both.
    func authenticated(
        _ request: Request, _ form: FormBody, _ call: inout DoorCall, by proof: ClientProof
    ) throws -> Client {
        let named = NamedClient(id: form["client_id"], secret: form["client_secret"])
        guard let client = try client(named, basic: try Self.basicCredentials(request), &call, by: proof) else {
            throw Rejection.clientAuthenticationFailed
        }
        return client
    }

    /// The client that asks for a refresh; nil where none is named, which the statement takes from a public one alone.
    ///
    /// A bearer token, which apps send along out of habit, says nothing about the client.
    func refreshing(_ request: Request, _ body: JSONObject, _ call: inout DoorCall) throws -> Client? {
        let named = NamedClient(
            id: try body.optional("client_id", most: 64), secret: try body.optional("client_secret"))
        let isBasic = request.headers.credentials(.basic) != nil
        return try client(named, basic: isBasic ? try Self.basicCredentials(request) : nil, &call, by: .kind)
    }

    private func client(
        _ named: NamedClient, basic: (id: String, secret: String)?, _ call: inout DoorCall, by proof: ClientProof
    ) throws -> Client? {
        guard basic == nil || named.secret == nil else {
            throw Problem.invalidMember("/client_secret", "beside_http_basic")
        }
        if let basic, let id = named.id, id != basic.id {
            throw Problem.invalidMember("/client_id", "not_of_http_basic")
        }
        guard let id = basic?.id ?? named.id else {
            guard named.secret == nil else { throw Rejection.clientAuthenticationFailed }
            return nil
        }
        guard let client = clients.client(id) else { throw Rejection.clientAuthenticationFailed }
        call.clientID = id
        guard Self.isProved(client, by: basic?.secret ?? named.secret ?? "", proof) else {
            throw Rejection.clientAuthenticationFailed
        }
        return client
    }

    /// An empty secret may be left out (RFC 6749 §2.3.1): a client that has none may as well send it, and libraries do.
    private static func isProved(_ client: Client, by secret: String, _ proof: ClientProof) -> Bool {
        switch (proof, client.kind) {
        case (.kind, .public): secret.isEmpty
        case (.secret, _), (.kind, .confidential): client.authenticates(secret: secret)
        }
    }

    /// Both halves are form-encoded inside (RFC 6749 §2.3.1).
    private static func basicCredentials(_ request: Request) throws(Rejection) -> (id: String, secret: String)? {
        guard request.headers.contains(.authorization) else { return nil }
        guard let credentials = request.headers.credentials(.basic), let bytes = Data(base64Encoded: credentials),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .clientAuthenticationFailed }
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let id = halves[0].removingPercentEncoding,
            let secret = halves[1].removingPercentEncoding
        else {
            throw .clientAuthenticationFailed
        }
        return (id, secret)
    }
}
