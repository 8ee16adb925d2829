package import Cryptography
import JSON
package import Logging
package import Postgres
import Synchronization
import Vocabulary

/// Holds the clients in memory and reloads them after a database notification.
package final class ClientRegistry: Sendable {
    struct Held {
        var clients: [String: Client] = [:]
        /// By the addresses of their documents.
        var documents: [String: Client] = [:]
        /// By the ids of their Cognito app clients.
        var cognitoApps: [String: Client] = [:]
        /// By the ids of their native applications.
        var nativeApps: [String: Client] = [:]
        /// The usable access keys of their back ends, by id.
        var accessKeys: [String: AccessKey] = [:]
        /// The paths that each registered browser origin may call, in addition to the apps' own API.
        var origins: [String: Set<Audience>] = [:]
        /// The ids of the clients with relaxed rotation.
        var relaxed: [TokenDialect: [String]] = [:]
        var resources = ResourceCatalogue.empty
        var bindsTokens = false
        /// The number of the reading: a later reading has a larger one.
        var turn = 0

        /// Whether any client asks to be told of sign-outs.
        var wantsLogoutNotices: Bool { clients.values.contains { $0.openID.backChannelLogoutURI != nil } }

        var speaksVendorsDialect: Bool { !cognitoApps.isEmpty || !nativeApps.isEmpty }
    }

    /// The uses of access keys.
    package let keyUses: AccessKeyUses
    private let pool: ConnectionPool
    private let box: SealedBox
    private let publicURL: String?
    private let operatorSessions: OperatorSessions?
    /// Whether pages of this machine may call with every client but those for administration, for development.
    let takesLocalOrigins: Bool
    private let readyDialects: @Sendable () async throws -> Void
    private let logger: Logger
    let held = Mutex(Held())
    private let turns = Atomic(0)

    /// The maximum lifetime of administration sessions, in seconds.
    package struct OperatorSessions: Sendable {
        let idle: Int
        let maximum: Int

        package init(idle: Int, maximum: Int) {
            (self.idle, self.maximum) = (idle, maximum)
        }
    }

    /// - Parameters:
    ///   - publicURL: the public address, below which the gateway's own resources are; nil without any.
    ///   - takesLocalOrigins: whether pages of this machine may call without a registration, for development.
    ///   - readyDialects: creates and loads the signing keys of a vendor's dialect, before any such client is known.
    package init(
        pool: ConnectionPool, keys: MasterKeys, publicURL: String? = nil, operatorSessions: OperatorSessions? = nil,
        takesLocalOrigins: Bool = false,
        readyDialects: @escaping @Sendable () async throws -> Void = {}, logger: Logger
    ) {
        (self.pool, self.operatorSessions, self.logger) = (pool, operatorSessions, logger)
        (self.publicURL, self.readyDialects, self.takesLocalOrigins) = (publicURL, readyDialects, takesLocalOrigins)
        box = SealedBox(keys)
        keyUses = AccessKeyUses(pool: pool)
    }

    /// Reads the clients again.
    ///
    /// Every change that was committed before the call is known after it.
    package func reload() async throws {
        // A reading that began earlier and ends later has older rows.
        let turn = turns.add(1, ordering: .sequentiallyConsistent).newValue
        let (clients, keys) = try await pool.withConnection { connection in
            (try self.clients(connection), try self.accessKeys(connection))
        }
        let byID = Dictionary(clients.map { ($0.id, $0) }) { first, _ in first }
        let origins = Dictionary(
            clients.flatMap { client in client.origins.map { ($0, client.audiences) } },
            uniquingKeysWith: { $0.union($1) })
        let relaxed = TokenDialect.allCases.map { ($0, Self.relaxed(clients, at: $0)) }
        let apps = clients.compactMap { client in client.dialects.cognito.map { ($0.clientID, client) } }
        let natives = clients.compactMap { client in client.dialects.nativeAuth.map { ($0.applicationID, client) } }
        let new = Held(
            clients: byID,
            documents: Dictionary(clients.filter { $0.publicID != $0.id }.map { ($0.publicID, $0) }) { first, _ in first
            },
            cognitoApps: Dictionary(apps) { first, _ in first },
            nativeApps: Dictionary(natives) { first, _ in first }, accessKeys: keys, origins: origins,
            relaxed: Dictionary(relaxed) { first, _ in first },
            resources: ResourceCatalogue(clients.flatMap(\.resources), at: publicURL),
            bindsTokens: clients.contains(where: \.openID.bindsTokens), turn: turn)
        // A known client can sign users in at once, so its keys come first.
        if new.speaksVendorsDialect { try await readyDialects() }
        held.withLock { if turn > $0.turn { $0 = new } }
    }

    private func clients(_ connection: Connection) throws -> [Client] {
        try connection.query(
            """
            select id, name, secret_digest, origins, redirect_uris, providers, linking_policy, access_token_seconds, refresh_idle_seconds,
                   refresh_max_seconds, mfa, sign_up_names, c.attributes::text, custom_challenge,
                   k.client_id is not null, k.url, k.audience, k.application, k.allowed, k.failure, k.attributes::text, k.refresh_seconds,
                   c.type, c.accepted_audiences::text, c.audiences, c.refresh_rotation, c.secret_sealed, c.guests, c.brand::text, c.bot_check,
                   c.dialects::text, c.foreign_nonces, c.openid::text, c.origin, d.url, d.fresh_until,
                   nullif(c.live_since, '-infinity')
              from clients c left join client_claims k on k.client_id = c.id left join client_documents d on d.client_id = c.id
             where disabled_at is null
            """
        ).map { try self.client(of: $0) }
    }

    /// Nil if it can't be opened: the key then works without signatures.
    func signingSecret(_ sealed: [UInt8]?, of id: String) -> Secret? {
        guard let sealed else { return nil }
        do throws(SealedBoxError) {
            return try AccessKey.open(sealed, of: id, box)
        } catch {
            logger.error(
                "an access key can't be opened: is its master key still configured?", metadata: ["key": "\(id)"])
            return nil
        }
    }

    private static func relaxed(_ clients: [Client], at dialect: TokenDialect) -> [String] {
        clients.filter { (try? TokenProfile(of: $0, at: dialect))?.refresh.rotation == .relaxed }.map(\.id)
    }

    /// Adds a client if its id is free; an existing client stays unchanged.
    ///
    /// - Parameter client: a secret of it is stored as its digest.
    package func addIfAbsent(_ client: Client) async throws {
        let digest: [UInt8]? = client.secret?.digest
        try await pool.withTransaction { connection in
            let added = try connection.execute(
                """
                insert into clients (id, name, type, accepted_audiences, secret_digest, origins, redirect_uris, providers, linking_policy,
                                     access_token_seconds, refresh_idle_seconds, refresh_max_seconds, mfa, sign_up_names, attributes, custom_challenge,
                                     guests, audiences)
                values (\(client.id), \(client.name), \(client.kind.rawValue), \(JSONText(client.acceptedAudiences.json.text)), \(digest), \(client.origins), \(client.redirectURIs.map(\.text)),
                        \(client.providers), \(client.linkingPolicy.bothVerified.rawValue), \(Int32(client.accessTokenLife)),
                        \(Int32(client.refreshIdle)), \(Int32(client.refreshMaximum)),
                        \(client.demandsSecondFactor ? "required" : "optional"), \(client.signUpNames.map(\.rawValue)),
                        \(JSONText(client.attributes.json.text)), \(client.hasCustomChallenge), \(client.allowsGuests),
                        \(client.audiences.map(\.rawValue)))
                on conflict (id) do nothing
                """)
            guard added > 0 else { return }
            if let claims = client.claims {
                try connection.execute("select set_client_claims(\(client.id), \(JSONText(claims.json.text)))")
            }
            try connection.execute(
                "insert into audit_inbox (action, outcome, reason, client_id) values ('client_added', 'done', 'configuration', \(client.id))"
            )
        }
    }

    private func client(of row: Row) throws -> Client {
        let audiences = Set(try row.value(24, as: [String].self).compactMap(Audience.init(rawValue:)))
        let limits = audiences.contains(.administration) ? operatorSessions : nil
        let policy = LinkingPolicy.BothVerified(rawValue: try row.value(6, as: String.self))
        return Client(
            id: try row.value(0), name: try row.value(1),
            kind: Client.Kind(rawValue: try row.value(22, as: String.self)) ?? .confidential,
            secret: try secret(of: row), origins: try row.value(3), redirectURIs: try row.value(4),
            providers: try row.value(5),
            acceptedAudiences: [String: [String]](try JSON(parsing: try row.value(23, as: String.self))),
            linkingPolicy: LinkingPolicy(bothVerified: policy ?? .ask),
            demandsSecondFactor: try row.value(10, as: String.self) == "required",
            // An administration client never allows sign-up, even if its row does.
            signUpNames: audiences.contains(.administration)
                ? [] : try row.value(11, as: [String].self).compactMap(SignInName.Kind.init(rawValue:)),
            attributes: [ClientAttribute](try JSON(parsing: try row.value(12, as: String.self))),
            brand: try brand(of: row),
            botCheck: BotCheckPolicy(rawValue: try row.value(29, as: String.self)) ?? .beyondBudget,
            claims: try Self.claims(row), allowsGuests: try row.value(27),
            hasCustomChallenge: try row.value(13), takesForeignNonces: try row.value(31),
            accessTokenLife: Int(try row.value(7, as: Int32.self)),
            refreshIdle: min(Int(try row.value(8, as: Int32.self)), limits?.idle ?? .max),
            refreshMaximum: min(Int(try row.value(9, as: Int32.self)), limits?.maximum ?? .max),
            refreshRotation: TokenProfile.Rotation(rawValue: try row.value(25, as: String.self)) ?? .always,
            dialects: try dialects(of: row), openID: try openID(of: row), audiences: audiences,
            origin: try Self.origin(of: row), liveSince: try row.value(36),
            takesLocalOrigins: takesLocalOrigins && !audiences.contains(.administration))
    }

    private static func origin(of row: Row) throws -> ClientOrigin {
        if let address = try row.value(34, as: String?.self) {
            return .document(address: address, freshUntil: try row.value(35))
        }
        return try row.value(33, as: String.self) == "operator" ? .operator : .registration
    }

    /// Nil if it can't be opened: the client can't authenticate until it has a new secret, or the master key is back.
    private func secret(of row: Row) throws -> ClientSecret? {
        let id: String = try row.value(0)
        let stored = StoredClientSecret(digest: try row.value(2), sealed: try row.value(26))
        do throws(SealedBoxError) {
            return try stored.opened(for: id, box)
        } catch {
            logger.error(
                "a client secret can't be opened: is its master key still configured?", metadata: ["client": "\(id)"])
            return nil
        }
    }

    /// Nil for a brand that an older release allowed: its pages then have the gateway's own mark.
    private func brand(of row: Row) throws -> ClientBrand? {
        guard let text = try row.value(28, as: String?.self), let json = try JSON(parsing: text).object else {
            return nil
        }
        let id: String = try row.value(0)
        do throws(ClientBrand.Fault) {
            return try ClientBrand(parsing: json)
        } catch {
            logger.error(
                "a client's brand can't be used",
                metadata: ["client": "\(id)", "member": "\(error.member)"])
            return nil
        }
    }

    /// None for a form that this release does not know: the client then speaks only the gateway's own API.
    private func dialects(of row: Row) throws -> ClientDialects {
        let json = try JSON(parsing: try row.value(30, as: String.self)).object ?? [:]
        let id: String = try row.value(0)
        do throws(MemberFault) {
            return try ClientDialects(parsing: json)
        } catch {
            logger.error(
                "a client's dialects can't be used",
                metadata: ["client": "\(id)", "member": "\(error.path.joined(separator: "."))"])
            return .none
        }
    }

    /// The standard settings for a form that this release does not know, with consent: it may be another maker's app.
    private func openID(of row: Row) throws -> OpenIDSettings {
        let json = try JSON(parsing: try row.value(32, as: String.self)).object ?? [:]
        let id: String = try row.value(0)
        do throws(MemberFault) {
            return try OpenIDSettings(parsing: json)
        } catch {
            logger.error(
                "a client's settings for OpenID Connect can't be used",
                metadata: ["client": "\(id)", "member": "\(error.path.joined(separator: "."))"])
            return .unreadable(keepingSubjectsOf: json)
        }
    }

    private static func claims(_ row: Row) throws -> ClaimsPolicy? {
        guard try row.value(14, as: Bool.self) else { return nil }
        var service: ClaimsPolicy.Service?
        if let url = try row.value(15, as: String?.self) {
            service = ClaimsPolicy.Service(
                url: url, audience: try row.value(16), application: try row.value(17), allowed: try row.value(18))
        }
        return ClaimsPolicy(
            service: service, isClosed: try row.value(19, as: String.self) == "closed",
            attributes: [ClaimsPolicy.Mapping](try JSON(parsing: try row.value(20, as: String.self))),
            refreshSeconds: try row.value(21, as: Int32?.self).map { Int($0) })
    }
}
