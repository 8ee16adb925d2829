/// Two accounts with one of each item that a writing function may lock, and with merged items; and an invited one.
enum LockFixture {
    /// `fid(kind, n)` is the id of that kind that belongs to account n.
    static let script = """
        create function fid(kind integer, n integer) returns uuid language sql immutable as
            $$ select ('00000000-0000-7000-8000-' || lpad((kind * 100 + n)::text, 12, '0'))::uuid $$;
        insert into clients (id, name) values ('app', 'App');
        insert into accounts (id, display_name) select fid(1, n), 'N' from generate_series(1, 3) n;
        insert into account_emails (account_id, address_key, address, source, proved_at, is_main)
        select fid(1, n), 'own' || n || '@example.org', 'own' || n || '@example.org', 'person', now(), true from generate_series(1, 2) n;
        insert into account_emails (account_id, address_key, address, source, is_main)
        select fid(1, n), 'shared@example.org', 'shared@example.org', 'person', false from generate_series(1, 2) n;
        insert into account_phones (account_id, phone_key, source) select fid(1, n), '+49170123456', 'person' from generate_series(1, 2) n;
        insert into passwords (account_id, hash) select fid(1, n), 'h' from generate_series(1, 3) n;
        insert into identities (id, account_id, provider, realm, subject, linked_by, transfer_subject, transfer_realm)
        select fid(2, n), fid(1, n), 'apple', 'R', 's-' || n, 'no_match', 't-' || n, 'R2' from generate_series(1, 2) n;
        insert into provider_tokens (identity_id, client_id, kind, sealed, stored_at)
        select fid(2, n), 'app', 'refresh', '\\x01', '2026-01-01' from generate_series(1, 2) n;
        insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, rotated_at,
                              idle_seconds, idle_expires_at, expires_at, proofs)
        select fid(k, n), fid(1, n), 'app', fid(2, n), 'apple', now() + interval '1 hour', '{x}', '2', decode(lpad((k * 10 + n)::text, 4, '0'), 'hex'),
               now(), 100000, now() + interval '1 day', now() + interval '1 day', '[]'
          from generate_series(1, 2) n, (values (3), (15)) as k (k);
        insert into factors (id, account_id, kind, sealed) select fid(12, n), fid(1, n), 'totp', '\\x01' from generate_series(1, 2) n;
        update accounts set mfa = true where id in (fid(1, 1), fid(1, 2));
        insert into remembered_devices (id, account_id, digest, expires_at)
        select fid(14, n), fid(1, n), decode('dd0' || n, 'hex'), now() + interval '1 day' from generate_series(1, 2) n;
        insert into flows (id, kind, client_id, address_key, account_id, identity_id, link_flow, state, code_digest, resend_after, expires_at)
        select fid(f.k, n), f.kind, 'app', f.key, case when f.owned then fid(1, n) end,
               case f.kind when 'sign_in' then fid(2, n) end, case f.kind when 'sign_in' then fid(7, n) end,
               f.state || case f.kind
                   when 'link_account' then jsonb_build_object('provider', 'google', 'realm', 'G', 'subject', 'g-' || n, 'identity', fid(20, n),
                                                             'email_verified', false, 'email_is_relay', false)
                   else '{}' end,
               '\\xc0de', now() - interval '1 minute', now() + interval '1 day'
          from generate_series(1, 2) n,
               (values (4, 'sign_in', null, true, '{"guess_bucket":"ab010000000000000000000000000000"}'::jsonb),
                       (5, 'factor', null, true, '{"guess_bucket":"ab010000000000000000000000000000"}'), (6, 'address', null, true, '{"guess_bucket":"ab010000000000000000000000000000"}'),
                       (7, 'link_account', null, true, '{}'),
                       (8, 'sign_up', 'shared@example.org', false,
                        '{"guess_bucket":"ab020000000000000000000000000000", "address": "shared@example.org", "display_name": "N", "password": {"hash": "h"}}'),
                       (9, 'provider', null, false, '{"guess_bucket":"ab030000000000000000000000000000"}')) as f (k, kind, key, owned, state);
        insert into outbox (id, medium, address, kind, account_id, state, tries, expires_at)
        select fid(21, n), 'email', 'own' || n || '@example.org', 'notice.x', fid(1, n), 'sent', 1, now() + interval '1 day' from generate_series(1, 2) n;
        insert into account_changes (id, kind, account_id, other_id, undo_until, state, after)
        select fid(10, n), 'unlink', fid(1, n), null, now() + interval '1 day',
               to_jsonb(row(fid(22, n), fid(1, n), 'google', 'G', 'u-' || n, null, false, false, null, 'operator', now(), null, null, null, null, null, null)::identities),
               jsonb_build_object('account', account_outline(fid(1, n)))
          from generate_series(1, 2) n;
        insert into account_changes (id, kind, account_id, other_id, undo_until, state, after)
        select fid(11, n), 'link', fid(1, n), null, now() + interval '1 day', jsonb_build_object('identity', fid(2, n)),
               jsonb_build_object('account', account_outline(fid(1, n)))
          from generate_series(1, 2) n;
        insert into account_changes (id, kind, account_id, other_id, undo_until, state, after)
        select fid(16, n), 'move', fid(1, n), fid(1, 3 - n), now() + interval '1 day',
               jsonb_build_object('items', jsonb_build_object('identities', jsonb_build_array(fid(2, n)))),
               jsonb_build_object('to', account_outline(fid(1, n)), 'from', account_outline(fid(1, 3 - n)))
          from generate_series(1, 2) n;
        insert into account_changes (id, kind, account_id, other_id, undo_until, state, after, by_person)
        select fid(23, n), 'merge', fid(1, n), fid(1, 3 - n), now() + interval '1 day', '{"items": {}}',
               jsonb_build_object('kept', account_outline(fid(1, n)), 'absorbed', account_outline(fid(1, 3 - n))), true
          from generate_series(1, 2) n;
        insert into accounts (id) values (fid(1, 7));
        insert into account_emails (account_id, address_key, address, source, is_main)
        values (fid(1, 7), 'shared@example.org', 'shared@example.org', 'operator', true);
        insert into invitations (account_id, digest, address_key, client_id, expires_at)
        values (fid(1, 7), '\\xee07', 'shared@example.org', 'app', now() + interval '1 day');
        update accounts set status = 'closed', merged_into = fid(1, 2) where id = fid(1, 3);
        insert into accounts (id, deletion_requested_at, deletion_due_at) values (fid(1, 6), now(), now());
        insert into accounts (id, status, merged_into) values (fid(1, 5), 'closed', fid(1, 6));
        """
}
