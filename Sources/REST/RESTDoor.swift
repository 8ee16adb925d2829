import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Sessions
import Vocabulary

/// A part of the REST API (`docs/openapi.yaml`).
///
/// It uses JSON for apps, and forms for the endpoints that the OAuth standards define.
protocol RESTDoor: FrontDoor {
    var calls: RESTCalls { get }
}

/// The log, the sessions and the clients that every call of the API needs.
struct RESTCalls: Sendable {
    let log: CallLog
    let directory: SessionDirectory
    let clients: ClientRegistry
    let proofs: KeyProofs
}

extension RESTDoor {
    var directory: SessionDirectory { calls.directory }
    var clients: ClientRegistry { calls.clients }

    /// The client that a body names.
    ///
    /// - Throws: `audienceNotAllowed` for one that signs users in at `/authorize` alone (``Client/usesOwnAPI``).
    package func client(_ body: JSONObject, _ call: inout DoorCall) throws -> Client {
        let id = try body.required("client_id", most: 64)
        guard let client = clients.client(id) else { throw Rejection.clientUnknown }
        call.clientID = id
        guard client.usesOwnAPI else { throw Rejection.audienceNotAllowed }
        return client
    }

    /// The id of a path.
    func pathID(_ context: GatewayContext) throws(Rejection) -> UUID {
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else { throw .notFound }
        return id
    }
}
