package import Clients
import Foundation
package import JSON
package import OperatorAccess
import Postgres
import Vocabulary

/// Management of the texts of messages, for operators.
package struct MessageDesk: Sendable {
    private let desk: AdminDesk
    private let editing: MessageEditing

    package init(desk: AdminDesk, editing: MessageEditing) { (self.desk, self.editing) = (desk, editing) }

    /// A message and a language.
    package struct Place: Sendable {
        package let template: MessageTemplate
        package let language: String

        /// - Throws: `notFound` for an unknown message, `invalidMember` for an unknown language.
        package init(_ id: String, in language: String) throws(AdminRefusal) {
            guard let template = MessageTemplate.with(id) else { throw .notFound }
            guard MessageEditing.languages.contains(language) else {
                throw .invalidMember(
                    pointer: "/language", reason: "unknown", accepted: Array(MessageEditing.languages))
            }
            (self.template, self.language) = (template, language)
        }
    }

    /// Every message with its title, and the languages with changed texts: `{id, title, changed}`.
    package func list(in language: String, by actor: AdminActor) async throws -> [JSON] {
        let known = try Place(MessageTemplate.all[0].id, in: language)
        return try await desk.look(.showMessages, actor) { connection in
            let stored = try connection.query("select language, key, text from message_texts order by language").map {
                (
                    language: try $0.value(0, as: String.self), key: try $0.value(1, as: String.self),
                    text: try $0.value(2, as: String.self)
                )
            }
            return MessageTemplate.all.map { template in
                let own = stored.filter { template.keys.contains($0.key) }
                let title = own.first { $0.key == template.titleKey && $0.language == known.language }?.text
                let tags = MessageEditing.languages.filter { tag in own.contains { $0.language == tag } }
                return [
                    "id": .string(template.id),
                    "title": .string(title ?? editing.standard(template.titleKey, in: known.language)?.text ?? ""),
                    "changed": .array(tags.map(JSON.string)),
                ]
            }
        }
    }

    /// The texts of a message in one language: `{id, language, texts: [{key, text, default, placeholders, shared_with}]}`.
    package func show(_ place: Place, by actor: AdminActor) async throws -> JSON {
        try await desk.look(.showMessages, actor) { connection in shown(place, try Self.stored(place, connection)) }
    }

    /// Changes texts of a message in one language; null restores the default.
    ///
    /// Other messages with the same text change too. Every server sends the new texts within a second. Only an owner may
    /// add a link.
    package func change(
        _ place: Place, _ sent: JSONObject, because reason: Reason, by actor: AdminActor
    ) async throws -> JSON {
        let texts = try checked(sent, place)
        let action = texts.contains { addsLink($0.text, $0.key, place) } ? AdminAction.trustClient : .changeMessages
        return try await desk.change(action, actor, of: [], because: reason) { connection in
            let before = try Self.stored(place, connection)
            for (key, text) in texts { try Self.store(text, key, place.language, connection) }
            let after = try Self.stored(place, connection)
            guard after != before else { throw AdminRefusal.nothingToChange }
            try Self.audit("message_changed", place, before: before, after: after, actor, connection)
            return shown(place, after)
        }
    }

    /// Restores the defaults of a message in one language.
    package func reset(_ place: Place, because reason: Reason, by actor: AdminActor) async throws -> JSON {
        let defaults = JSONObject(place.template.keys.map { JSONObject.Member(name: $0, value: .null) })
        return try await change(place, defaults, because: reason, by: actor)
    }

    /// A message with the stored texts and unsaved changes, in the look of an app.
    ///
    /// - Parameters:
    ///   - texts: by key; a text with a fault is left out.
    ///   - client: nil for the plain look.
    package func preview(
        _ place: Place, _ texts: [String: String], of client: String?, by actor: AdminActor
    ) async throws -> (preview: MessageEditing.Preview, brand: ClientBrand?) {
        try await desk.look(.showMessages, actor) { connection in
            let stored = try Self.stored(place, connection).object ?? [:]
            let changed = Dictionary(stored.members.map { ($0.name, $0.value.string ?? "") }) { first, _ in first }
            let brand = try client.map { try Self.brand(of: $0, connection) }
            let preview = editing.preview(
                place.template, in: place.language, changed: changed.merging(texts) { _, new in new }, brand: brand)
            return (preview, brand?.brand)
        }
    }

    /// Sends the stored texts to the operator's own main address or number.
    ///
    /// - Throws: `invalidMember` without a confirmed address of that medium, or without a sender for it.
    package func test(
        _ place: Place, by medium: Medium, because reason: Reason?, actor: AdminActor
    ) async throws {
        let message = try await desk.change(.changeMessages, actor, of: [], because: reason) { connection in
            guard let account = actor.account, let address = try Self.address(medium, of: account, connection),
                let destination = Destination(medium, address)
            else { throw AdminRefusal.invalidMember(pointer: "/medium", reason: "no_address") }
            // Without a sender, the message would wait in the outbox until it expires.
            guard editing.reaches(medium),
                let message = editing.test(place.template, in: place.language, to: destination, account: account)
            else { throw AdminRefusal.invalidMember(pointer: "/medium", reason: "not_delivered") }
            try connection.execute("select enqueue(\(outgoing: message))")
            try Self.audit("message_tested", place, before: .null, after: .null, actor, connection)
            return message
        }
        do throws(Rejection) {
            try await editing.deliver(message)
        } catch {
            throw AdminRefusal.invalidMember(pointer: "/medium", reason: "not_delivered")
        }
    }

    /// Whether test messages of a medium can be sent.
    package func reaches(_ medium: Medium) -> Bool { editing.reaches(medium) }

    /// - Throws: `invalidMember` with the pointer of the first text that does not fit.
    package func check(_ texts: [String: String], of place: Place) throws(AdminRefusal) {
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) {
            guard place.template.keys.contains(key) else {
                throw .invalidMember(pointer: "/texts/\(key)", reason: "unknown", accepted: place.template.keys)
            }
            do throws(MessageTextFault) {
                try editing.check(text, for: key)
            } catch {
                throw .invalidMember(pointer: "/texts/\(key)", reason: error.reason)
            }
        }
    }

    /// Whether a text has a link that the default has not.
    private func addsLink(_ text: String?, _ key: String, _ place: Place) -> Bool {
        guard let text else { return false }
        let standard = editing.standard(key, in: place.language)?.text ?? ""
        return !MessageLink.words(in: text).isSubset(of: MessageLink.words(in: standard))
    }

    /// The texts by key; nil for the default, also for a text that equals it.
    private func checked(_ sent: JSONObject, _ place: Place) throws(AdminRefusal) -> [(key: String, text: String?)] {
        var texts: [(key: String, text: String?)] = []
        for member in sent.members {
            let standard = editing.standard(member.name, in: place.language)?.text
            // A null is checked as the default, so that an unknown key is refused.
            guard let text = member.value.isNull ? standard ?? "" : member.value.string else {
                throw .invalidMember(pointer: "/texts/\(member.name)", reason: "must_be_text")
            }
            try check([member.name: text], of: place)
            texts.append((member.name, text == standard ? nil : text))
        }
        return texts
    }

    private func shown(_ place: Place, _ stored: JSON) -> JSON {
        let texts = place.template.keys.map { key -> JSON in
            let standard = editing.standard(key, in: place.language)
            return [
                "key": .string(key), "text": stored[key] ?? .string(standard?.text ?? ""),
                "default": .string(standard?.text ?? ""),
                "placeholders": .array((standard?.places ?? []).map(JSON.string)),
                "shared_with": .array(place.template.sharing(key).map(JSON.string)),
            ]
        }
        return [
            "id": .string(place.template.id), "language": .string(place.language), "texts": .array(texts),
        ]
    }
}

/// The rows of `message_texts`.
extension MessageDesk {
    /// The changed texts of a message in one language, by key.
    private static func stored(_ place: Place, _ connection: Connection) throws -> JSON {
        let (keys, language) = (place.template.keys, place.language)
        let row = try connection.row(
            """
            select coalesce(jsonb_object_agg(key, text order by key), '{}')::text from (
                select key, text from message_texts where language = \(language) and key = any (\(keys)) for update) held
            """)
        return try JSON(parsing: row.value(0, as: String.self))
    }

    private static func store(_ text: String?, _ key: String, _ language: String, _ connection: Connection) throws {
        guard let text else {
            try connection.execute("delete from message_texts where language = \(language) and key = \(key)")
            return
        }
        try connection.execute(
            """
            insert into message_texts (language, key, text) values (\(language), \(key), \(text))
            on conflict (language, key) do update set text = excluded.text, changed_at = now()
            where message_texts.text <> excluded.text
            """)
    }

    /// - Throws: `invalidMember` for an unknown app.
    private static func brand(of client: String, _ connection: Connection) throws -> MessageBrand {
        guard let row = try connection.queryOne("select name, brand::text from clients where id = \(client)") else {
            throw AdminRefusal.invalidMember(pointer: "/client_id", reason: "unknown")
        }
        let brand = try row.value(1, as: String?.self).flatMap { try? JSON(parsing: $0).object }
            .flatMap { ClientBrand.checked($0).brand }
        return MessageBrand(serviceName: try row.value(0), client: client, brand: brand)
    }

    /// The confirmed main address of an operator's account; nil without one.
    private static func address(_ medium: Medium, of account: UUID, _ connection: Connection) throws -> String? {
        let row =
            switch medium {
            case .email:
                try connection.queryOne(
                    """
                    select address from account_emails where account_id = \(account) and proved_at is not null
                     order by is_main desc, proved_at limit 1
                    """)
            case .sms:
                try connection.queryOne(
                    """
                    select phone_key from account_phones where account_id = \(account) and proved_at is not null
                     order by is_main desc, proved_at limit 1
                    """)
            }
        return try row?.value(0)
    }

    private static func audit(
        _ action: String, _ place: Place, before: JSON, after: JSON, _ actor: AdminActor, _ connection: Connection
    ) throws {
        let detail: JSON = [
            "message": .string(place.template.id), "language": .string(place.language), "before": before,
            "after": after,
        ]
        try connection.execute(
            """
            insert into audit_inbox (action, outcome, reason, address, request_id, detail)
            values (\(action), 'done', 'operator', \(actor.address), \(actor.requestID), \(JSONText(detail.text)))
            """)
    }
}
