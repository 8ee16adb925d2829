import Foundation
import Hummingbird
import Sessions

extension RESTDoor {
    /// Who must prove what.
    enum ClientProof {
        /// The secret, always.
        case secret
        /// The secret where the client has one.
        case secretIfAny
        /// Nothing but its name, since something else binds what it asks for; a secret that is sent must be right.
        case name
    }

    /// The client that asks: by HTTP Basic or by form (RFC 6749 §2.3.1), never by both.
    func authenticated(
        _ request: Request, _ form: FormBody, _ call: inout DoorCall, by proof: ClientProof
    ) throws(Rejection) -> Client {
        let basic = try Self.basicCredentials(request)
        guard basic == nil || form["client_secret"] == nil else {
            throw .invalidMember(pointer: "/client_secret", reason: "beside_http_basic")
        }
        guard let id = basic?.id ?? form["client_id"], let client = clients.client(id) else {
            throw .clientAuthenticationFailed
        }
        call.clientID = id
        // An empty secret may be left out (RFC 6749 §2.3.1): who has none may as well send it, and libraries do.
        if let secret = basic?.secret ?? form["client_secret"], !secret.isEmpty || client.secretDigest != nil {
            guard client.authenticates(secret: secret) else { throw .clientAuthenticationFailed }
            return client
        }
        switch proof {
        case .name: return client
        case .secretIfAny where client.secretDigest == nil: return client
        case .secret, .secretIfAny: throw .clientAuthenticationFailed
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
