package import Cryptography
package import JSON
package import OperatorAccess
import Postgres
import Vocabulary

/// Management of apps, for operators.
package struct ClientDesk: Sendable {
    let desk: AdminDesk
    private let box: SealedBox
    /// The ids of the configured providers.
    private let providers: [String]
    /// The ids of the sign-in methods that an app may offer.
    package var signInMethods: [String] {
        providers + FirstFactor.offered(sendsTexts: true, hasPasskeys: true)
    }
    /// Whether a claims webhook may be a local address, for development.
    private let allowsLocal: Bool
    /// Nil where no document of a sector can be read, and so none is accepted.
    let sectors: SectorDocuments?

    package init(
        desk: AdminDesk, keys: MasterKeys, providers: [String], allowsLocal: Bool = false,
        sectors: SectorDocuments? = nil
    ) {
        (self.desk, box, self.providers, self.allowsLocal) = (desk, SealedBox(keys), providers, allowsLocal)
        self.sectors = sectors
    }

    /// Validates what ``ClientChange`` can't know by itself; ``create`` and ``change`` call it too.
    ///
    /// - Parameter held: the current client; empty for a new one.
    /// - Throws: `invalidMember` for a provider that is not configured, or a webhook that can't be called.
    package func check(_ change: ClientChange, held: JSONObject) throws(AdminRefusal) {
        try change.checkProviders(providers, held: held)
        try change.checkClaimsURL(allowsLocal: allowsLocal)
        try change.checkSecret(held: held)
    }

    /// A client and its new secret, which is shown once and stored as a digest, or sealed.
    package struct WithSecret: Sendable, Equatable {
        package let client: JSON
        package let secret: String
    }

    /// The clients that operators brought; ``agents(_:after:limit:by:)`` has the others.
    package func list(by actor: AdminActor) async throws -> [JSON] {
        try await desk.look(.showClients, actor) { connection in
            try connection.query(
                "\(unsafeSQL: Self.selection) where c.origin = 'operator' order by c.created_at, c.id"
            ).map(Self.client)
        }
    }

    package func client(_ id: String, by actor: AdminActor) async throws -> JSON {
        try await desk.look(.showClients, actor) { connection in try Self.load(id, connection) }
    }

    /// Adds a client; a confidential one gets a secret.
    ///
    /// A public one can get a secret for its back end (``replaceSecret``). Only owners may add apps, because apps
    /// receive sessions. The sign-in methods have no default: the caller lists those that the app offers.
    ///
    /// - Parameter once: the single-use value of the request; nil without one.
    package func create(
        _ id: String, _ change: ClientChange, isConfidential: Bool, once: Once? = nil, because reason: Reason,
        by actor: AdminActor
    ) async throws -> (client: JSON, secret: String?) {
        let document = try await sectorDocument(of: change, to: nil, .trustClient, by: actor)
        return try await desk.change(.trustClient, actor, of: [], because: reason) { connection in
            try once?.spend(connection)
            let made = try add(id, change, isConfidential: isConfidential, in: document, by: actor, connection)
            try Self.checkWriters(of: made.client, connection)
            return made
        }
    }

    func add(
        _ id: String, _ change: ClientChange, isConfidential: Bool, in document: SectorDocument?,
        by actor: AdminActor, _ connection: Connection
    ) throws -> (client: JSON, secret: String?) {
        let secret = isConfidential ? Self.newSecret() : nil
        let stored = secret.map { StoredClientSecret($0, of: id, kept: change.keptSecret, box) }
        let isNew =
            try connection.execute(
                """
                insert into clients (id, name, type, secret_digest, secret_sealed)
                values (\(id), \(id), \(isConfidential ? "confidential" : "public"), \(stored?.digest), \(stored?.sealed))
                on conflict (id) do nothing
                """) > 0
        guard isNew else { throw AdminRefusal.invalidMember(pointer: "/id", reason: "taken") }
        try check(change, held: [:])
        try change.checkSector(held: [:], in: document)
        guard change.json["providers"] != nil else {
            throw AdminRefusal.invalidMember(pointer: "/providers", reason: "required")
        }
        try Self.apply(change, to: id, by: actor, connection)
        let client = try Self.load(id, connection)
        try Self.audit("client_added", id, before: .null, after: client, actor, connection)
        return (client, secret)
    }

    /// Changes a client; every server applies it within a second.
    ///
    /// Only owners may change a client for administration, and the last enabled one can't be disabled.
    ///
    /// - Parameters:
    ///   - held: the members from which the change was made, such as a list that gets one more entry.
    ///   - isDryRun: performs every check and returns the changed client, but changes nothing.
    /// - Throws: `accountsChanged` if the client has other ones by now, besides the refusals of every change.
    package func change(
        _ id: String, _ change: ClientChange, expecting held: JSONObject = [:], isDryRun: Bool = false,
        because reason: Reason, by actor: AdminActor
    ) async throws -> JSON {
        let action = try await action(of: change, id)
        let document = try await sectorDocument(of: change, to: id, action, by: actor)
        do {
            return try await desk.change(action, actor, of: [], because: reason) { connection in
                let after = try settle(change, of: id, expecting: held, in: document, by: actor, connection)
                if isDryRun { throw DryRun(effect: after) }
                return after
            }
        } catch let run as DryRun<JSON> {
            return run.effect
        }
    }

    private func settle(
        _ change: ClientChange, of id: String, expecting held: JSONObject, in document: SectorDocument?,
        by actor: AdminActor, _ connection: Connection
    ) throws -> JSON {
        let before = try Self.load(id, connection)
        guard held.members.allSatisfy({ before[$0.name] == $0.value }) else { throw AdminRefusal.accountsChanged }
        guard !ClientChange.lacksProof(change.json.object ?? [:], held: before.object ?? [:]) else {
            throw AdminRefusal.invalidMember(pointer: "/type", reason: "needs_a_secret")
        }
        try check(change, held: before.object ?? [:])
        try change.checkSector(held: before.object ?? [:], in: document)
        try Self.apply(change, to: id, by: actor, connection)
        let after = try Self.load(id, connection)
        guard after != before else { throw AdminRefusal.nothingToChange }
        if change.decidesWriters { try Self.checkWriters(of: after, connection) }
        try Self.audit("client_changed", id, before: before, after: after, actor, connection)
        return after
    }

    /// Compares the links of the change with those of the client, which may stay; an unknown client has none.
    private func action(of change: ClientChange, _ id: String) async throws -> AdminAction {
        let held = try await desk.pool.withConnection { connection in
            try connection.queryOne(
                "select jsonb_build_object('name', name, 'brand', brand)::text from clients where id = \(id)"
            ).map { try JSON(parsing: $0.value(0, as: String.self)).object }
        }
        return change.action(toChange: (held ?? nil) ?? [:])
    }

    /// Replaces the secret of a client; the old one stops working.
    ///
    /// - Parameters:
    ///   - kept: how the database keeps it.
    ///   - once: the form's single-use value; nil without a form. A secret is shown only once, so a repeated request
    ///     would create one that nobody has.
    /// - Throws: `invalidMember` for the digest of a secret that a dialect uses as a key.
    package func replaceSecret(
        _ id: String, kept: ClientSecret.Storage, once: Once? = nil, because reason: Reason, by actor: AdminActor
    ) async throws -> WithSecret {
        let secret = Self.newSecret()
        return try await desk.change(.changeClient, actor, of: [], because: reason) { connection in
            let before = try Self.load(id, connection)
            guard kept == .sealed || !ClientChange.needsSealedSecret(before.object ?? [:]) else {
                throw AdminRefusal.invalidMember(pointer: "/kept", reason: "must_be_sealed")
            }
            try store(secret, of: id, kept: kept, by: actor, connection)
            try once?.spend(connection)
            let after = try Self.load(id, connection)
            try Self.audit("client_secret_replaced", id, before: before, after: after, actor, connection)
            return WithSecret(client: after, secret: secret)
        }
    }

    func store(
        _ secret: String, of id: String, kept: ClientSecret.Storage, by actor: AdminActor, _ connection: Connection
    ) throws {
        let stored = StoredClientSecret(secret, of: id, kept: kept, box)
        let row = try connection.row(
            "select replace_client_secret(\(id), \(stored.digest), \(stored.sealed), \(actor.id))")
        try row.throwRefusal()
    }

    // MARK: Rows

    static let selection = """
        select jsonb_build_object(
                   'id', c.id, 'name', c.name, 'origin', c.origin, 'agent', agent_outline(c.id), 'type', c.type, 'has_secret', c.secret_digest is not null or c.secret_sealed is not null,
                   'secret_kept', case when c.secret_sealed is not null then 'sealed' when c.secret_digest is not null then 'digest' end,
                   'origins', c.origins, 'redirect_uris', c.redirect_uris,
                   'providers', c.providers, 'accepted_audiences', c.accepted_audiences, 'linking_policy', c.linking_policy, 'second_factor', c.mfa, 'sign_up_names', c.sign_up_names,
                   'custom_challenge', c.custom_challenge, 'foreign_nonces', c.foreign_nonces, 'guests', c.guests, 'brand', c.brand, 'bot_check', c.bot_check, 'dialects', c.dialects, 'openid', c.openid, 'attributes', c.attributes,
                   'claims', (select to_jsonb(k) - 'client_id' from client_claims k where k.client_id = c.id), 'audiences', c.audiences, 'access_token_seconds', c.access_token_seconds,
                   'refresh_idle_seconds', c.refresh_idle_seconds, 'refresh_max_seconds', c.refresh_max_seconds,
                   'refresh_rotation', c.refresh_rotation,
                   'disabled', c.disabled_at is not null, 'created_at', utc(c.created_at))::text
          from clients c
        """

    static func client(_ row: Row) throws -> JSON { try AdminDesk.document(try row.value(0)) }

    static func load(_ id: String, _ connection: Connection) throws -> JSON {
        guard let client = try stored(id, connection) else { throw AdminRefusal.notFound }
        return client
    }

    /// A client, locked; nil if the id is free.
    static func stored(_ id: String, _ connection: Connection) throws -> JSON? {
        try connection.queryOne("\(unsafeSQL: selection) where c.id = \(id) for update of c").map(client)
    }

    /// - Throws: the refusals of the statement; ``AdminRefusal/invalidMember(pointer:reason:)`` for sign-up names, guests,
    ///   dialects or relaxed rotation of a client for administration, and for the identifier of another client.
    static func apply(
        _ change: ClientChange, to id: String, by actor: AdminActor, _ connection: Connection
    ) throws {
        let row = try connection.row(
            "select change_client(\(id), \(JSONText(change.json.text)), \(actor.id))")
        switch try row.optionalOperatorAnswer(as: ClientRefusal.self) {
        case nil: return
        case .signUpNamesNotAllowed:
            throw AdminRefusal.invalidMember(pointer: "/sign_up_names", reason: "not_for_administration")
        case .dialectNotAllowed:
            throw AdminRefusal.invalidMember(pointer: "/dialects", reason: "not_for_administration")
        case .cognitoClientTaken:
            throw AdminRefusal.invalidMember(pointer: "/dialects/cognito/client_id", reason: "taken")
        case .nativeApplicationTaken:
            throw AdminRefusal.invalidMember(pointer: "/dialects/native_auth/application_id", reason: "taken")
        case .resourceTaken:
            throw AdminRefusal.invalidMember(pointer: "/openid/resources", reason: "taken")
        case .guestsNotAllowed:
            throw AdminRefusal.invalidMember(pointer: "/guests", reason: "not_for_administration")
        case .relaxedRotationNotAllowed:
            throw AdminRefusal.invalidMember(pointer: "/refresh_rotation", reason: "not_for_administration")
        }
    }

    static func audit(
        _ action: String, _ id: String, before: JSON, after: JSON, _ actor: AdminActor, _ connection: Connection
    ) throws {
        let detail: JSON = ["before": before, "after": after]
        try connection.execute(
            """
            insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
            values (\(action), 'done', 'operator', \(id), \(actor.address), \(actor.requestID), \(JSONText(detail.text)))
            """)
    }

    /// 256 bits.
    static func newSecret() -> String { Base64URL.encode(RandomBytes.system(32)) }
}

/// The refusals of a client change (`change_client`), in addition to those of every change; null if it is changed.
enum ClientRefusal: String, OutcomeWord {
    static let functions = ["change_client"]

    case dialectNotAllowed = "dialect_not_allowed"
    /// Another client has the identifier.
    case cognitoClientTaken = "cognito_client_taken"
    case nativeApplicationTaken = "native_application_taken"
    case resourceTaken = "resource_taken"
    case signUpNamesNotAllowed = "sign_up_names_not_allowed"
    case guestsNotAllowed = "guests_not_allowed"
    case relaxedRotationNotAllowed = "relaxed_rotation_not_allowed"
}
