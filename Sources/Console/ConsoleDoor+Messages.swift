import Clients
import HTTPServer
import Hummingbird
import JSON
import Messages
import OperatorAccess
import Operators
import Pages

/// The texts of mails and text messages.
extension ConsoleDoor {
    /// `GET /admin/messages`: `language`; without it, the page's own.
    @Sendable func messages(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showMessages, request, context) { visit in
            let language = Self.messageLanguage(visit)
            let messages = try await services.messages.list(in: language, by: visit.actor)
            return show(
                MessagesPage(
                    frame: frame(visit, .messages), language: language, messages: messages.map { Facts($0) }),
                visit.call)
        }
    }

    /// `GET /admin/messages/{id}`: `language`, and `done` of the last action.
    @Sendable func message(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showMessages, request, context) { visit in
            let place = try Self.place(context, visit)
            let message = Facts(try await services.messages.show(place, by: visit.actor))
            return show(try await form(message, MessageFields(message), visit), visit.call)
        }
    }

    /// `POST /admin/messages/{id}`: `do` is `save`, `reset`, `test_email` or `test_sms`; the first two with a reason.
    @Sendable func changeMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.changeMessages, request, context, back: MessagesPage.path, counts: false) { visit in
            let place = try Self.place(context, visit)
            let before = MessageFields(Facts(try await services.messages.show(place, by: visit.actor)))
            let fields = MessageFields(form: visit.fields.fields, keys: place.template.keys)
            return try await doing(.changeMessages, visit) {
                let done = try await perform(place, before, fields, visit)
                return Self.toMessage(place, done, visit)
            } again: { problem in
                let message = Facts(try await services.messages.show(place, by: visit.actor))
                return try await form(message, fields, visit, wrong(fields, place), problem)
            }
        }
    }

    /// - Returns: the completed action.
    private func perform(
        _ place: MessageDesk.Place, _ before: MessageFields, _ fields: MessageFields, _ visit: ConsoleVisit
    ) async throws -> MessageAction {
        guard let action = visit.fields["do"].flatMap(MessageAction.init(rawValue:)) else {
            throw AdminRefusal.notFound
        }
        let (messages, actor) = (services.messages, visit.actor)
        switch action {
        case .save:
            try messages.check(fields.texts, of: place)
            let why = try await reason(for: .changeMessages, toChange: before.members, visit)
            _ = try await messages.change(place, fields.members(unlike: before), because: why, by: actor)
        case .reset: _ = try await messages.reset(place, because: visit.reason(), by: actor)
        case .testMail: try await messages.test(place, by: .email, because: nil, actor: actor)
        case .testText: try await messages.test(place, by: .sms, because: nil, actor: actor)
        }
        return action
    }

    /// `POST /admin/message-preview/{id}`: the message with the texts in the form, which are not stored.
    ///
    /// An invalid text is left out. The page is shown in a frame without scripts and forms.
    @Sendable func previewMessage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer(.showMessages, request, context, back: MessagesPage.path, counts: false) { visit in
            let place = try Self.place(context, visit)
            let fields = MessageFields(form: visit.fields.fields, keys: place.template.keys)
            let client = visit.fields["client_id"].flatMap { $0.isEmpty ? nil : $0 }
            let (preview, brand) = try await services.messages.preview(
                place, fields.texts, of: client, by: visit.actor)
            return .messagePreview(preview, images: [brand?.logo].compactMap(\.self))
        }
    }

    // MARK: Parts

    private static func messageLanguage(_ visit: ConsoleVisit) -> String {
        visit.fields["language"] ?? visit.call.language.rawValue
    }

    private static func place(
        _ context: GatewayContext, _ visit: ConsoleVisit
    ) throws(AdminRefusal) -> MessageDesk.Place {
        try MessageDesk.Place(context.parameters.get("id") ?? "", in: messageLanguage(visit))
    }

    private func form(
        _ message: Facts, _ fields: MessageFields, _ visit: ConsoleVisit, _ wrong: [String: String] = [:],
        _ problem: ConsoleRefusal? = nil
    ) async throws -> MessagePage {
        let clients = try await services.clients.list(by: visit.actor).map { Facts($0) }
        return MessagePage(
            frame: frame(visit, .messages, problem), message: message, fields: fields,
            clients: clients.map { ($0.id, $0["name"] ?? $0.id) }, wrong: wrong,
            mayChange: visit.mayDo(.changeMessages), sendsTexts: services.messages.reaches(.sms),
            reason: visit.fields["reason"] ?? "", shown: Fingerprint.of(MessageFields(message).members),
            done: visit.fields["done"].flatMap(MessageAction.init(rawValue:)))
    }

    /// Checks each text separately, so that one answer reports every mistake: the reason by key.
    private func wrong(_ fields: MessageFields, _ place: MessageDesk.Place) -> [String: String] {
        fields.texts.reduce(into: [:]) { wrong, entry in
            do throws(AdminRefusal) {
                try services.messages.check([entry.key: entry.value], of: place)
            } catch {
                if case .invalidMember(_, let reason, _) = error { wrong[entry.key] = reason }
            }
        }
    }

    private static func toMessage(_ place: MessageDesk.Place, _ done: MessageAction, _ visit: ConsoleVisit) -> Response
    {
        .seeOther(
            ConsoleAddress.of(
                MessagesPage.address(of: place.template.id),
                [(name: "language", value: place.language), (name: "done", value: done.rawValue)]
                    + Site.localesParameter(visit.call.locales)))
    }
}

extension Response {
    /// The subject, the HTML part of a mail and the text message.
    ///
    /// Mails have inline styles; the frame around it runs no scripts.
    fileprivate static func messagePreview(_ preview: MessageEditing.Preview, images: [String]) -> Response {
        var html = Array(
            "<!doctype html><meta charset=\"utf-8\"><title>–</title><body style=\"\(preview.style)\"><p>".utf8)
        HTMLText.append(preview.subject, to: &html)
        html += Array("</p><hr>\(preview.markup)<hr><p>".utf8)
        HTMLText.append(preview.sms, to: &html)
        var response = Response.page(
            html, status: .ok, formTargets: [], images: images, hidesAddress: false,
            frames: .framed)
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src \((["'self'"] + images).joined(separator: " ")); form-action 'none'; frame-ancestors 'self'; base-uri 'none'"
        return response
    }
}
