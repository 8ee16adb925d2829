-- Accounts number :first to :last of :accounts, with what hangs on them. What points where is right by making.
set session_replication_role = replica;
set synchronous_commit = off;

insert into accounts (id, display_name, user_name, user_name_key, created_at, changed_at)
select seed.account(n, :accounts), case when n % 12 > 0 then seed.name(n) end,
       case when n % 10 = 4 then seed.given(n) || n end, case when n % 10 = 4 then lower(seed.given(n) || n) end,
       seed.born(n, :accounts), seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n;

-- One address each, and a second one for one in ten; one in ten is unproved.
insert into account_emails (account_id, address_key, address, source, proved_at, is_main, added_at)
select seed.account(n, :accounts), a.address, a.address, 'person', case when n % 10 > 0 then seed.born(n, :accounts) end, a.is_main,
       seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n
 cross join lateral (select seed.email(n) as address, true as is_main union all select 'second.' || seed.email(n), false where n % 10 = 3) a;

insert into account_phones (account_id, phone_key, source, proved_at, added_at)
select seed.account(n, :accounts), seed.phone(n), 'person', case when n % 10 > 0 then seed.born(n, :accounts) end, seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n where n % 2 = 0;

insert into identities (id, account_id, provider, realm, subject, email, email_verified, display_name, linked_by, linked_at)
select seed.id('identity', n, seed.born(n, :accounts)), seed.account(n, :accounts), (array['apple', 'google', 'microsoft'])[n % 3 + 1],
       (array['TEAM123456', 'https://accounts.google.com', 'tenant'])[n % 3 + 1], seed.subject(n), seed.email(n), n % 3 < 2,
       seed.name(n), 'new_account', seed.born(n, :accounts)
  from generate_series(:first::bigint, :last) n where n % 5 < 4;

insert into passwords (account_id, hash)
select seed.account(n, :accounts), 'none' from generate_series(:first::bigint, :last) n where n % 5 = 4;

-- Every second account has a session of the last month, number 2 has 100.
insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, rotated_at, idle_seconds,
                      idle_expires_at, expires_at, created_at, device_name, address, user_agent)
select seed.id('session', n, s.at), seed.account(s.owner, :accounts), 'app', case when s.owner % 5 < 4 then seed.id('identity', s.owner, seed.born(s.owner, :accounts)) end,
       coalesce(case when s.owner % 5 < 4 then (array['apple', 'google', 'microsoft'])[s.owner % 3 + 1] end, 'password'),
       s.at, '{pwd}', '1', sha256(n::text::bytea), seed.now() - interval '1 hour' * seed.lot(n, 8, 700), 2592000, seed.now() + interval '20 days',
       seed.now() + interval '60 days', s.at, 'Phone', '203.0.113.' || n % 256, 'Mozilla/5.0'
  from generate_series(:first::bigint, :last) n
 cross join lateral (select case when n <= 200 then 2 else n end as owner, seed.now() - interval '29 days' * n / :accounts as at) s
 where n % 2 = 0;

insert into account_changes (id, kind, account_id, other_id, made_at, undo_until, state, after)
select seed.id('change', n, seed.now()), 'link', seed.account(n, :accounts), seed.account(n + 1, :accounts), seed.now(), seed.now(), '{}', '{}'
  from generate_series(:first::bigint, :last - 1) n where n % 100 = 1;
