import HTTPServer
import Hummingbird
import JSON
import Messages
import OperatorAccess
import Operators

/// The texts of mails and text messages.
extension AdminDoor {
    /// `GET …/messages`: `language`, `en` by default.
    @Sendable func listMessages(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showMessages, request, context, parameters: ["language"]) { actor, _ in
            let language = request.uri.queryParameters["language"].map(String.init) ?? "en"
            return .json(["messages": .array(try await services.messages.list(in: language, by: actor))])
        }
    }

    /// `GET …/messages/{id}`: `language`, `en` by default.
    @Sendable func showMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showMessages, request, context, parameters: ["language"]) { actor, _ in
            let language = request.uri.queryParameters["language"].map(String.init)
            return .json(try await services.messages.show(try Self.place(context, language), by: actor))
        }
    }

    /// `PATCH …/messages/{id}`: `{language, texts, reason}`; a text of null restores the default.
    @Sendable func changeMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeMessages, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "language", "texts", "reason")
            guard let texts = sent["texts"]?.object else {
                throw AdminRefusal.invalidMember(pointer: "/texts", reason: "must_be_object")
            }
            return .json(
                try await services.messages.change(
                    try Self.place(context, sent), texts, because: Self.reason(sent), by: actor))
        }
    }

    /// `POST …/messages/{id}/reset`: `{language, reason}`.
    @Sendable func resetMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeMessages, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "language", "reason")
            return .json(
                try await services.messages.reset(
                    try Self.place(context, sent), because: Self.reason(sent), by: actor))
        }
    }

    /// `POST …/messages/{id}/preview`: `{language, texts, client_id}`; stores and sends nothing.
    @Sendable func previewMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showMessages, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "language", "texts", "client_id")
            let place = try Self.place(context, sent)
            let texts = try Self.texts(sent)
            try services.messages.check(texts, of: place)
            let preview = try await services.messages.preview(
                place, texts, of: sent["client_id"]?.string, by: actor
            ).preview
            return .json([
                "subject": .string(preview.subject), "text": .string(preview.text), "html": .string(preview.html),
                "sms": .string(preview.sms),
            ])
        }
    }

    /// `POST …/messages/{id}/test`: `{language, medium, reason}`; it goes to the operator's own main address.
    @Sendable func testMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeMessages, request, context) { actor, _ in
            let sent = try await JSONBody.object(request, of: "language", "medium", "reason")
            guard let medium = Medium(rawValue: sent["medium"]?.string ?? "email") else {
                throw AdminRefusal.invalidMember(
                    pointer: "/medium", reason: "unknown", accepted: Medium.allCases.map(\.rawValue))
            }
            try await services.messages.test(
                try Self.place(context, sent), by: medium, because: Self.reason(sent), actor: actor)
            return Response(status: .noContent)
        }
    }

    private static func place(_ context: GatewayContext, _ sent: JSONObject) throws(AdminRefusal) -> MessageDesk.Place {
        try place(context, sent["language"]?.string)
    }

    private static func place(
        _ context: GatewayContext, _ language: String?
    ) throws(AdminRefusal) -> MessageDesk.Place {
        try MessageDesk.Place(context.parameters.get("id") ?? "", in: language ?? "en")
    }

    private static func texts(_ sent: JSONObject) throws(AdminRefusal) -> [String: String] {
        guard let members = (sent["texts"] ?? .object([:])).object?.members else {
            throw .invalidMember(pointer: "/texts", reason: "must_be_object")
        }
        var texts: [String: String] = [:]
        for member in members {
            guard let text = member.value.string else {
                throw .invalidMember(pointer: "/texts/\(member.name)", reason: "must_be_text")
            }
            texts[member.name] = text
        }
        return texts
    }
}
