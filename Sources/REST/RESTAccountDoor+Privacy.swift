import Accounts
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Sessions
import Telemetry

/// Access to the account's data, its export and its deletion.
extension RESTAccountDoor {
    /// `DELETE /v1/account`: 202 with the day of the deletion; 204 after an immediate deletion.
    @Sendable func requestDeletion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("delete_account", request, context) { call, session in
            guard let waiting = try await deletion.request(session, caller: call.caller) else {
                return Response(status: .noContent)
            }
            return .json(["deletion": RESTAnswers.deletion(waiting)], status: .accepted)
        }
    }

    /// `DELETE /v1/account/deletion`: cancels the deletion.
    @Sendable func cancelDeletion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("cancel_deletion", request, context) { call, session in
            try await deletion.cancel(session, caller: call.caller)
            return Response(status: .noContent)
        }
    }

    /// `GET /v1/account/export`: all stored data of the account, as a file.
    @Sendable func exportAccount(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("export_account", request, context) { call, session in
            try .export(try await export.export(session, caller: call.caller), of: session.facts.account)
        }
    }

    /// `GET /v1/account/events`: the history of the account, newest first, by pages.
    @Sendable func accountEvents(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let parameters = ["limit", "cursor"]
        return try await answerSignedIn("account_events", request, context, parameters: parameters) { _, session in
            let query = request.uri.queryParameters
            let limit = query["limit"].map(String.init)
            guard let size = limit.map(Int.init) ?? 50, (1...ActivityService.greatestPage).contains(size) else {
                throw Problem.invalidMember("/limit", "must_be_1_to_100")
            }
            let page = try await activity.events(of: session, cursor: query["cursor"].map(String.init), limit: size)
            return .json([
                "events": .array(page.events.map(RESTAnswers.event)),
                "next_cursor": page.cursor.map(JSON.string) ?? .null,
            ])
        }
    }
}

extension RESTAnswers {
    static func event(_ event: AccountEvent) -> JSON {
        [
            "at": .string(RFC3339.text(event.at)), "type": .string(event.kind.rawValue),
            "by": .string(event.author.rawValue), "about": event.subject.map(JSON.string) ?? .null,
            "client_id": event.clientID.map(JSON.string) ?? .null, "provider": event.provider.map(JSON.string) ?? .null,
            "address": event.address.map(JSON.string) ?? .null,
            "device_name": event.deviceName.map(JSON.string) ?? .null,
            "user_agent": event.userAgent.map(JSON.string) ?? .null,
        ]
    }
}
