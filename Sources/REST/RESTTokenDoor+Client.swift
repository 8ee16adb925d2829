import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Vocabulary

extension RESTTokenDoor {
    /// The authentication that an endpoint requires of a client.
    enum ClientProof {
        /// The secret of a confidential client, or of a public client's back end.
        case secret
        /// The secret of a confidential client; only the name of a public one.
        case kind
    }

    /// The client credentials in a body.
    struct NamedClient {
        let id: String?
        let secret: String?
    }

    /// The calling client, by HTTP Basic or by form (RFC 6749 §2.3.1), never by both.
    func authenticated(
        _ request: Request, _ form: FormBody, _ call: inout DoorCall, by proof: ClientProof
    ) throws -> Client {
        let named = NamedClient(id: form["client_id"], secret: form["client_secret"])
        guard let client = try client(named, basic: try Self.basicCredentials(request), &call, by: proof) else {
            throw Rejection.clientAuthenticationFailed
        }
        return client
    }

    /// The client of a refresh; nil if the request names none.
    ///
    /// Without a named client, the statement accepts only a public client's token. A bearer token does not identify the
    /// client: apps often send one needlessly.
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

    /// Accepts an empty secret of a client without a secret.
    ///
    /// RFC 6749 §2.3.1 lets such a client omit it, but some libraries send it.
    private static func isProved(_ client: Client, by secret: String, _ proof: ClientProof) -> Bool {
        switch (proof, client.kind) {
        case (.kind, .public): secret.isEmpty
        case (.secret, _), (.kind, .confidential): client.authenticates(secret: secret)
        }
    }

    /// The Basic credentials; both halves are form-encoded inside (RFC 6749 §2.3.1).
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
