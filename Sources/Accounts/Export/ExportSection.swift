import Foundation
import Postgres

/// One part of an export, with its columns.
///
/// Unlisted columns are not exported, such as secrets, hashes, digests and tokens.
struct ExportSection: Sendable {
    /// The accounts of its rows; merged accounts of the user may have left rows.
    enum Scope {
        /// The account's: at most one row, an object or null.
        case account
        /// The account's and those of all accounts merged into it.
        case person
        /// Only those of merged accounts.
        case absorbed
    }

    let name: String
    var scope = Scope.person
    /// Returns one JSON object per row; the prefix makes it a cursor.
    let query: @Sendable (_ prefix: String, _ account: UUID) -> SQL

    static let all: [ExportSection] = [
        account, absorbed, emails, phones, identities, password, factors, recoveryCodes, passkeys, devices,
        knownDevices, sessions, flows, imports, operatorRole, messages, events,
    ]
}

extension ExportSection {
    private static let account = ExportSection(name: "account", scope: .account) { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object(\(unsafeSQL: accountMembers))::text from accounts a where a.id = \(account)
        """
    }

    private static let absorbed = ExportSection(name: "absorbed_accounts", scope: .absorbed) { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object(\(unsafeSQL: accountMembers), 'merged_into', a.merged_into,
                   'password_set_at', (select api_time(p.set_at) from passwords p where p.account_id = a.id),
                   'recovery_codes', (select count(*) from recovery_codes r where r.account_id = a.id))::text
          from accounts a where a.id = \(account)
        """
    }

    /// For a statement in which `a` is the table.
    private static let accountMembers = """
        'id', a.id, 'status', a.status, 'display_name', a.display_name, 'user_name', a.user_name,
                   'guest', a.guest, 'attributes', a.attributes, 'first_factor', a.first_factor, 'second_factor', a.mfa,
                   'second_factor_demanded', a.mfa_demanded, 'created_at', api_time(a.created_at),
                   'changed_at', api_time(a.changed_at), 'deletion_requested_at', api_time(a.deletion_requested_at),
                   'deletion_due_at', api_time(a.deletion_due_at),
                   'apps', array(select a.client_id where a.client_id is not null
                                 union select m.client_id from account_apps m where m.account_id = a.id),
                   'subjects', (select coalesce(json_agg(json_build_object('sector', u.sector, 'subject', u.subject) order by u.sector), '[]')
                                  from pairwise_subjects u where u.account_id = a.id)
        """

    private static let emails = ExportSection(name: "emails") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('address', e.address, 'source', e.source, 'proved_at', api_time(e.proved_at), 'relay', e.is_relay,
                   'main', e.is_main, 'added_at', api_time(e.added_at),
                   'undeliverable_since', api_time(e.undeliverable_since))::text
          from account_emails e where e.account_id = \(account) order by e.added_at, e.address_key
        """
    }

    private static let phones = ExportSection(name: "phones") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('number', p.phone_key, 'source', p.source, 'proved_at', api_time(p.proved_at), 'main', p.is_main,
                   'added_at', api_time(p.added_at), 'undeliverable_since', api_time(p.undeliverable_since))::text
          from account_phones p where p.account_id = \(account) order by p.added_at, p.phone_key
        """
    }

    private static let identities = ExportSection(name: "identities") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('id', i.id, 'provider', i.provider, 'realm', i.realm, 'subject', i.subject, 'email', i.email,
                   'email_verified', i.email_verified, 'email_relay', i.email_is_relay, 'display_name', i.display_name,
                   'linked_by', i.linked_by, 'linked_at', api_time(i.linked_at),
                   'provider_access', coalesce((select json_agg(json_build_object('client_id', t.client_id, 'since', api_time(t.stored_at))
                                                                order by t.stored_at, t.client_id)
                                                  from provider_tokens t where t.identity_id = i.id), '[]'))::text
          from identities i where i.account_id = \(account) order by i.linked_at, i.id
        """
    }

    private static let password = ExportSection(name: "password", scope: .account) { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('set_at', api_time(p.set_at))::text from passwords p where p.account_id = \(account)
        """
    }

    private static let factors = ExportSection(name: "factors") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('id', f.id, 'type', f.kind, 'name', f.name, 'address', f.address, 'preferred', f.is_preferred,
                   'added_at', api_time(f.added_at), 'last_used_at', api_time(f.used_at))::text
          from factors f where f.account_id = \(account) order by f.added_at, f.id
        """
    }

    private static let recoveryCodes = ExportSection(name: "recovery_codes", scope: .account) { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('made', count(*), 'left', count(*) filter (where r.used_at is null))::text
          from recovery_codes r where r.account_id = \(account)
        """
    }

    private static let passkeys = ExportSection(name: "passkeys") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('id', k.id, 'name', k.name, 'credential_id', encode(k.credential_id, 'hex'),
                   'public_key', encode(k.public_key, 'hex'), 'algorithm', k.algorithm, 'transports', k.transports,
                   'authenticator_model', k.aaguid, 'backup_eligible', k.backup_eligible, 'backed_up', k.backed_up,
                   'attestation', k.attestation, 'uses', k.counter, 'preferred', k.is_preferred,
                   'added_at', api_time(k.added_at), 'last_used_at', api_time(k.used_at))::text
          from passkeys k where k.account_id = \(account) order by k.added_at, k.id
        """
    }

    private static let devices = ExportSection(name: "remembered_devices") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('id', d.id, 'name', d.name, 'added_at', api_time(d.added_at), 'last_used_at', api_time(d.used_at),
                   'expires_at', api_time(d.expires_at), 'remembered', d.is_remembered)::text
          from remembered_devices d where d.account_id = \(account) order by d.added_at, d.id
        """
    }

    private static let knownDevices = ExportSection(name: "known_devices") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('known_since', api_time(d.issued_at), 'expires_at', api_time(d.expires_at))::text
          from known_devices d where d.account_id = \(account) order by d.issued_at, d.digest
        """
    }

    private static let sessions = ExportSection(name: "sessions") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('id', s.id, 'client_id', s.client_id, 'provider', s.provider, 'identity', s.identity_id,
                   'dialect', coalesce(s.dialect, 'gateway'), 'auth_time', api_time(s.auth_time), 'amr', s.amr, 'acr', s.acr, 'claims', s.claims, 'device_name', s.device_name,
                   'address', s.address, 'user_agent', s.user_agent, 'language', s.language, 'created_at', api_time(s.created_at),
                   'last_used_at', api_time(s.rotated_at), 'expires_at', api_time(s.expires_at),
                   'ended_at', api_time(s.ended_at), 'end_reason', s.end_reason)::text
          from sessions s where s.account_id = \(account) order by s.created_at, s.id
        """
    }

    private static let flows = ExportSection(name: "unfinished_steps") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('type', f.kind, 'client_id', f.client_id, 'created_at', api_time(f.created_at),
                   'expires_at', api_time(f.expires_at))::text
          from flows f where f.account_id = \(account) order by f.created_at, f.id
        """
    }

    private static let imports = ExportSection(name: "imported_from") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('source', i.source, 'id', i.external_id)::text
          from imported_accounts i where i.account_id = \(account) order by i.source, i.external_id
        """
    }

    private static let operatorRole = ExportSection(name: "operator", scope: .account) { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('role', o.role, 'granted_at', api_time(o.granted_at))::text
          from operators o where o.account_id = \(account)
        """
    }

    private static let messages = ExportSection(name: "messages") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('medium', o.medium, 'address', o.address, 'type', o.kind, 'language', o.language,
                   'client_id', o.client_id, 'state', o.state, 'created_at', api_time(o.created_at),
                   'sent_at', api_time(o.sent_at))::text
          from outbox o where o.account_id = \(account) order by o.created_at, o.id
        """
    }

    /// `detail` is not exported: it contains the server's reasoning, and ids of others.
    private static let events = ExportSection(name: "events") { prefix, account in
        """
        \(unsafeSQL: prefix)select json_build_object('at', api_time(e.at), 'action', e.action, 'outcome', e.outcome, 'reason', e.reason,
                   'client_id', e.client_id, 'provider', e.provider, 'identity', e.identity_id, 'session', e.session_id,
                   'address', e.address, 'request_id', e.request_id, 'by_operator', e.actor_id is not null)::text
          from audit_events e where e.account_id = \(account) order by e.id
        """
    }
}
