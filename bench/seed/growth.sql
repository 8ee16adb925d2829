-- Accounts number :first to :last of :accounts for `make bench-growth`, under the ids, names and digests of bench/sql: each
-- transaction finds another account. Each has two addresses, an identity, a passkey, a password and five sessions.
set session_replication_role = replica;
set synchronous_commit = off;

insert into accounts (id, display_name, user_name, user_name_key, client_id, created_at, changed_at)
select seed.account(n, :accounts), seed.name(n), case when n % 10 = 4 then seed.given(n) || n end,
       case when n % 10 = 4 then lower(seed.given(n) || n) end, 'app', seed.born(n, :accounts), seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n;

insert into account_emails (account_id, address_key, address, source, proved_at, is_main, added_at)
select seed.account(n, :accounts), a.address, a.address, 'person', seed.born(n, :accounts), a.is_main, seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n
 cross join lateral (values ('pgbench' || n || '@example.com', true), ('coded' || n || '@example.com', false)) a (address, is_main);

insert into account_phones (account_id, phone_key, source, proved_at, added_at)
select seed.account(n, :accounts), seed.phone(n), 'person', seed.born(n, :accounts), seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n where n % 2 = 0;

insert into identities (id, account_id, provider, realm, subject, email, email_verified, display_name, linked_by, linked_at)
select seed.account(n, :accounts), seed.account(n, :accounts), 'apple', 'TEAM123456', '001999.pgbench.' || n,
       'pgbench' || n || '@example.com', true, seed.name(n), 'new_account', seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n;

insert into passwords (account_id, hash)
select seed.account(n, :accounts), '$argon2id$v=19$m=19456,t=2,p=1$' || repeat('A', 65) from generate_series(:first::bigint, :last) n;

insert into passkeys (id, account_id, credential_id, user_handle, public_key, algorithm, counter, backup_eligible, backed_up, attestation)
select md5('passkey ' || n)::uuid, seed.account(n, :accounts), sha256(('passkey ' || n)::bytea), uuid_send(seed.account(n, :accounts)),
       decode(repeat('ab', 77), 'hex'), -7, 0, true, true, 'none'
  from generate_series(:first::bigint, :last) n;

-- Sessions of the last month, as refresh.sql knows them; one account in twenty has another that expired long ago.
insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                      idle_expires_at, expires_at, created_at, device_name, address, user_agent)
select lpad(s.number::text, 32, '0')::uuid, seed.account(n, :accounts), 'app', seed.account(n, :accounts), 'apple', s.at, '{fed}', '1',
       sha256(int8send(s.number)), s.at, 2592000, s.at + interval '60 days', s.at + interval '90 days', s.at,
       case when k > 0 then 'Phone' end, case when k > 0 then '203.0.113.' || n % 256 else '127.0.0.1' end,
       case when k > 0 then 'Mozilla/5.0 (Phone ' || k || ')' else 'pgbench' end
  from generate_series(:first::bigint, :last) n
 cross join generate_series(0, case when n % 20 = 0 then 5 else 4 end) k
 cross join lateral (select case when k < 5 then 6000000000 + 5 * (n - 1) + k else 5000000000 + n end as number,
                            seed.now() - case when k < 5 then interval '1 day' * seed.lot(n, k, 29) else interval '200 days' end as at) s;
