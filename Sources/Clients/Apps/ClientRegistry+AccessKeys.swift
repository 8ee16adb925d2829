package import Foundation
package import OperatorAccess
import Postgres
import Synchronization
package import Vocabulary

/// The access keys of the clients' back ends.
extension ClientRegistry {
    /// A key with its client.
    package typealias HeldKey = (key: AccessKey, client: Client)

    /// The key with that id and its client, unless the key is revoked or the client disabled.
    package func accessKey(_ id: String) -> HeldKey? {
        held.withLock { held in
            guard let key = held.accessKeys[id], let client = held.clients[key.clientID] else { return nil }
            return (key, client)
        }
    }

    /// The key of a bearer token, before ``AccessKey/admit(_:at:)``.
    ///
    /// - Throws: `accessKeyInvalid`.
    package func accessKey(bearer text: String) throws(AdminRefusal) -> HeldKey {
        guard let (id, secret) = AccessKey.parts(of: text), let held = accessKey(id), held.key.isProved(by: secret)
        else { throw .accessKeyInvalid }
        return held
    }

    /// The key of a client that authenticates itself: the newest that works for the caller; nil without any.
    ///
    /// - Throws: `accessKeyExpired` or `networkNotAllowed`, as of the newest, if none works.
    package func ownKey(of client: Client, from caller: Caller, at now: Date) throws(AdminRefusal) -> AccessKey? {
        let keys = held.withLock { held in
            held.accessKeys.values.filter { $0.clientID == client.id && $0.digest == nil }
        }.sorted { $0.issued > $1.issued }
        if let key = keys.first(where: { (try? $0.check(from: caller.address, at: now)) != nil }) { return key }
        try keys.first?.admit(caller, at: now)
        return nil
    }

    /// The key of an access token that its client got for itself, before ``AccessKey/admit(_:at:)``.
    ///
    /// - Throws: `accessKeyInvalid`, also for a token from before its client was disabled.
    package func accessKey(ofToken token: (key: String, issued: Int)) throws(AdminRefusal) -> HeldKey {
        guard let held = accessKey(token.key), held.key.digest == nil,
            held.client.accepts(tokenIssued: token.issued)
        else { throw .accessKeyInvalid }
        return held
    }

    /// The keys that are not revoked, without the secrets that can't be opened.
    func accessKeys(_ connection: Connection) throws -> [String: AccessKey] {
        let rows = try connection.query(
            """
            select id, actor_id, client_id, secret_digest, secret_sealed, networks, expires_at, issued_at,
                   operator_rank(role) >= operator_rank('support')
              from access_keys where revoked_at is null
            """)
        let keys = try rows.map { row in
            let id: String = try row.value(0)
            return AccessKey(
                id: id, actor: try row.value(1), clientID: try row.value(2), issued: try row.value(7),
                digest: try row.value(3), secret: signingSecret(try row.value(4), of: id),
                networks: try row.value(5), expires: try row.value(6), mayNameNetwork: try row.value(8))
        }
        return Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
    }
}

extension AccessKey {
    /// - Throws: `accessKeyExpired`, `networkNotAllowed`.
    package func admit(_ caller: Caller, at now: Date) throws(AdminRefusal) {
        do throws(Fault) {
            try check(from: caller.address, at: now)
        } catch {
            throw AdminRefusal(error)
        }
    }
}

extension AdminRefusal {
    package init(_ fault: AccessKey.Fault) {
        self =
            switch fault {
            case .expired: .accessKeyExpired
            case .wrongNetwork: .networkNotAllowed
            }
    }
}
