package import Cryptography
package import Foundation
package import JSON
package import OperatorAccess
import Postgres

/// Management of webhook endpoints, for operators.
package struct EventDesk: Sendable {
    let desk: AdminDesk
    private let box: SealedBox
    let allowsLocal: Bool

    /// Together their concurrent deliveries stay within the limit of the HTTP client.
    private static let mostEndpoints = 24

    package init(desk: AdminDesk, keys: MasterKeys, allowsLocal: Bool) {
        (self.desk, box, self.allowsLocal) = (desk, SealedBox(keys), allowsLocal)
    }

    /// An endpoint and its new secret, which is shown once and stored sealed.
    package struct WithSecret: Sendable, Equatable {
        package let endpoint: JSON
        package let secret: String
    }

    package func list(by actor: AdminActor) async throws -> [JSON] {
        try await desk.look(.showEvents, actor) { connection in
            try connection.query("\(unsafeSQL: Self.selection) order by n.created_at, n.id").map(Self.endpoint)
        }
    }

    /// Adds an endpoint, with a secret that only this answer contains.
    ///
    /// - Parameter once: the single-use value of the request; nil without one.
    package func create(
        _ sent: JSONObject, once: Once? = nil, because reason: Reason, by actor: AdminActor
    ) async throws -> WithSecret {
        let change: EndpointChange
        do throws(AdminRefusal) {
            change = try EndpointChange(sent, allowsLocal: allowsLocal)
        } catch {
            throw error == .nothingToChange ? .invalidMember(pointer: "/url", reason: "required") : error
        }
        guard let url = sent["url"]?.string else {
            throw AdminRefusal.invalidMember(pointer: "/url", reason: "required")
        }
        let (id, secret) = (desk.newID(), EventSecret())
        let sealed = secret.sealed(for: id, box)
        return try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            try once?.spend(connection)
            // Serialized, or two could both take the last free place.
            try connection.execute("lock table event_endpoints in share row exclusive mode")
            let row = try connection.queryOne("select count(*) from event_endpoints where removed_at is null")
            let count: Int = try row?.value(0) ?? 0
            guard count < Self.mostEndpoints else {
                throw AdminRefusal.invalidMember(pointer: "", reason: "too_many_endpoints")
            }
            try connection.execute(
                "insert into event_endpoints (id, url, secret, types) values (\(id), \(url), \(sealed), '{}')")
            try Self.apply(change, to: id, connection)
            let endpoint = try Self.load(id, connection)
            try Self.audit("event_endpoint_added", before: .null, after: endpoint, actor, connection)
            return WithSecret(endpoint: endpoint, secret: secret.revealedText)
        }
    }

    /// Changes an endpoint.
    ///
    /// - Parameter held: the members from which the change was made, such as a list that gets one more entry.
    /// - Throws: `accountsChanged` if the endpoint has other ones by now, besides the refusals of every change.
    package func change(
        _ id: UUID, _ sent: JSONObject, expecting held: JSONObject = [:], because reason: Reason, by actor: AdminActor
    ) async throws -> JSON {
        let change = try EndpointChange(sent, allowsLocal: allowsLocal)
        return try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            let before = try Self.load(id, connection)
            guard held.members.allSatisfy({ before[$0.name] == $0.value }) else { throw AdminRefusal.accountsChanged }
            try Self.apply(change, to: id, connection)
            let after = try Self.load(id, connection)
            guard after != before else { throw AdminRefusal.nothingToChange }
            try Self.audit("event_endpoint_changed", before: before, after: after, actor, connection)
            return after
        }
    }

    /// Removes an endpoint and its pending deliveries.
    ///
    /// It disappears immediately; the next sweeps delete its rows, of which there may be millions.
    package func remove(_ id: UUID, because reason: Reason, by actor: AdminActor) async throws {
        try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            let before = try Self.load(id, connection)
            try connection.execute(
                """
                update event_endpoints
                   set removed_at = now(), disabled_at = coalesce(disabled_at, now()), secret = '', former_secret = null
                 where id = \(id)
                """)
            try Self.audit("event_endpoint_removed", before: before, after: .null, actor, connection)
        }
    }

    /// Replaces the secret of an endpoint; the old one signs too for a day.
    ///
    /// - Parameter formerUntil: the `former_secret_until` that was shown, empty for none. A second replacement from the
    ///   same view would drop the secret that receivers know. Nil without a view.
    package func replaceSecret(
        _ id: UUID, formerUntil: String? = nil, because reason: Reason, by actor: AdminActor
    ) async throws -> WithSecret {
        let secret = EventSecret()
        let sealed = secret.sealed(for: id, box)
        return try await desk.change(.changeEvents, actor, of: [], because: reason) { connection in
            let before = try Self.load(id, connection)
            guard formerUntil == nil || formerUntil == before["former_secret_until"]?.string ?? "" else {
                throw AdminRefusal.accountsChanged
            }
            try connection.execute(
                """
                update event_endpoints
                   set former_secret = secret, former_until = now() + interval '24 hours', secret = \(sealed) where id = \(id)
                """)
            let after = try Self.load(id, connection)
            try Self.audit("event_secret_replaced", before: before, after: after, actor, connection)
            return WithSecret(endpoint: after, secret: secret.revealedText)
        }
    }

    // MARK: Rows

    /// For a statement in which `n` is the table.
    static let document = """
        jsonb_build_object(
                   'id', n.id, 'url', n.url, 'types', n.types, 'client_id', n.client_id, 'disabled', n.disabled_at is not null,
                   'failing_since', utc(n.failing_since), 'created_at', utc(n.created_at),
                   'former_secret_until', case when n.former_until > now() then utc(n.former_until) end)
        """
    private static let selection = "select (\(document))::text from event_endpoints n where n.removed_at is null"

    static func endpoint(_ row: Row) throws -> JSON { try AdminDesk.document(try row.value(0)) }

    static func load(_ id: UUID, _ connection: Connection) throws -> JSON {
        // This blocks no queuing or settling of deliveries.
        let row = try connection.queryOne("\(unsafeSQL: selection) and n.id = \(id) for no key update")
        guard let row else { throw AdminRefusal.notFound }
        return try endpoint(row)
    }

    private static func apply(_ change: EndpointChange, to id: UUID, _ connection: Connection) throws {
        if let client = change.members["client_id"]?.string {
            let isKnown = try connection.queryOne("select exists (select from clients where id = \(client))")
            guard try isKnown?.value(0) ?? false else {
                throw AdminRefusal.invalidMember(pointer: "/client_id", reason: "unknown")
            }
        }
        try connection.execute(
            """
            with given as (select \(JSONText(JSON.object(change.members).text))::jsonb as p)
            update event_endpoints n set
                url = coalesce(p->>'url', n.url),
                types = case when p ? 'types' then array(select jsonb_array_elements_text(p->'types')) else n.types end,
                client_id = case when p ? 'client_id' then p->>'client_id' else n.client_id end,
                failing_since = case when p ? 'disabled' then null else n.failing_since end,
                disabled_at = case when not p ? 'disabled' then n.disabled_at when (p->>'disabled')::boolean then coalesce(n.disabled_at, now()) end
              from given where n.id = \(id)
            """)
    }

    private static func audit(
        _ action: String, before: JSON, after: JSON, _ actor: AdminActor, _ connection: Connection
    ) throws {
        try audit(action, ["before": before, "after": after], actor, connection)
    }

    static func audit(_ action: String, _ detail: JSON, _ actor: AdminActor, _ connection: Connection) throws {
        try connection.execute(
            """
            insert into audit_inbox (action, outcome, reason, address, request_id, detail)
            values (\(action), 'done', 'operator', \(actor.address), \(actor.requestID), \(JSONText(detail.text)))
            """)
    }
}
