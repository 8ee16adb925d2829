import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators

/// Webhook endpoints and their deliveries.
extension AdminDoor {
    /// `GET …/events/endpoints`.
    @Sendable func listEndpoints(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showEvents, request, context) { actor, _ in
            .json(["endpoints": .array(try await services.events.list(by: actor))])
        }
    }

    /// `POST …/events/endpoints`: `{url, types, client_id, reason}`; only this answer contains the secret.
    @Sendable func createEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await creating(.changeEvents, request, context) { actor, once in
            let sent = try await JSONBody.changes(request)
            let made = try await services.events.create(sent, once: once, because: Self.reason(sent), by: actor)
            return ["endpoint": made.endpoint, "secret": .string(made.secret)]
        }
    }

    /// `PATCH …/events/endpoints/{id}`: the members to change, and `reason`.
    @Sendable func changeEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { actor, _ in
            let sent = try await JSONBody.changes(request)
            let endpoint = try await services.events.change(
                Self.pathID(context), sent, because: Self.reason(sent), by: actor)
            return .json(["endpoint": endpoint])
        }
    }

    /// `DELETE …/events/endpoints/{id}`: `{reason}`.
    @Sendable func removeEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "reason")
            try await services.events.remove(Self.pathID(context), because: Self.reason(sent), by: actor)
            return Response(status: .noContent)
        }
    }

    /// `POST …/events/endpoints/{id}/secret`: `{reason}`; only this answer contains the secret.
    @Sendable func replaceEndpointSecret(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "reason")
            let made = try await services.events.replaceSecret(
                Self.pathID(context), because: Self.reason(sent), by: actor)
            return .json(["endpoint": made.endpoint, "secret": .string(made.secret)])
        }
    }

    /// `POST …/events/endpoints/{id}/test`: `{reason}`.
    @Sendable func testEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "reason")
            let id = try await services.events.test(Self.pathID(context), because: Self.reason(sent), by: actor)
            return .json(["delivery": .string(id)])
        }
    }

    /// `POST …/events/endpoints/{id}/replay`: `{from, to, reason}`; without times, the abandoned deliveries.
    @Sendable func replayEndpoint(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "from", "to", "reason")
            let count = try await services.events.replay(
                endpoint: Self.pathID(context), from: Self.time(sent, "from"), to: Self.time(sent, "to"),
                because: Self.reason(sent), by: actor)
            return .json(["replayed": .integer(count)])
        }
    }

    /// `GET …/events/deliveries`: `endpoint`, `state`, `cursor`, `limit`.
    @Sendable func listDeliveries(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let parameters = ["endpoint", "state", "cursor", "limit"]
        return try await answer(.showEvents, request, context, parameters: parameters) { actor, _ in
            let query = request.uri.queryParameters
            let endpoint = query["endpoint"].map { UUID(uuidString: String($0)) }
            if case .some(nil) = endpoint {
                throw AdminRefusal.invalidMember(pointer: "/endpoint", reason: "must_be_id")
            }
            let page = try await services.events.deliveries(
                EventDesk.Filter(endpoint: endpoint ?? nil, state: query["state"].map { String($0) }),
                before: Self.number(request, "cursor"), limit: Self.number(request, "limit") ?? 50, by: actor)
            return .json([
                "deliveries": .array(page.deliveries), "next_cursor": page.next.map { .string(String($0)) } ?? .null,
            ])
        }
    }

    /// `POST …/events/deliveries/{id}/replay`: `{reason}`.
    @Sendable func replayDelivery(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeEvents, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "reason")
            guard let id = context.parameters.get("id") else { throw AdminRefusal.notFound }
            try await services.events.replay(delivery: id, because: Self.reason(sent), by: actor)
            return Response(status: .noContent)
        }
    }

    private static func time(_ body: JSONObject, _ name: String) throws(AdminRefusal) -> Date? {
        guard let value = body[name], !value.isNull else { return nil }
        guard let time = value.string.flatMap({ try? Date($0, strategy: .iso8601) }) else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_time")
        }
        return time
    }
}
