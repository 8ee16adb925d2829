-- Events number :first to :last of :events of the audit log, over 30 days, sealed, as half refreshes, a third sign-ins.
set synchronous_commit = off;

with made as (
    insert into audit_sealed (position, id, at, action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail, actor_id, words)
    select n, n, seed.now() - interval '30 days' * (1 - n::float8 / :events),
           k.action, case when k.kind between 80 and 94 then 'refused' else 'done' end,
           case when k.kind between 80 and 94 then (array['invalid_credentials', 'credential_invalid', 'throttled', 'account_disabled', 'code_wrong'])[seed.lot(n, 9, 5) + 1]
                when k.kind between 50 and 79 then 'known' when k.action = 'account_created' then 'no_match' end,
           case when k.kind not between 80 and 89 then seed.account(k.owner, :accounts) end,
           case when k.kind between 50 and 79 and k.owner % 5 < 4 then seed.id('identity', k.owner, seed.born(k.owner, :accounts)) end,
           case when k.kind < 80 then seed.id('session', k.owner, seed.now()) end,
           case when k.action <> 'account_disabled' then 'app' end,
           case when k.kind between 50 and 97 then (array['apple', 'google', 'microsoft', 'password'])[seed.lot(n, 10, 4) + 1] end,
           '203.0.113.' || n % 256, md5('request' || n)::uuid::text,
           case when k.action = 'account_created' then
               '{"rule": "no_match", "facts": {"has_address": true, "provider_is_authority": true, "proved_holders": 0, "unproved_holders": 0}}'::jsonb end,
           case when k.action = 'account_disabled' then seed.account(n / 1000 % 10 + 1, :accounts) end,
           case when k.action = 'account_disabled' then 'asked by phone' end
      from generate_series(:first::bigint, :last) n
     cross join lateral (
        select kind, case when n % 250 = 1 then 1 else seed.lot(n, 11, :accounts) + 1 end as owner,
               case when kind < 50 then 'refreshed' when kind < 80 then 'signed_in' when kind < 90 then 'sign_in' when kind < 95 then 'continue_sign_in'
                    when kind < 98 then 'account_created' when n % 1000 = 99 then 'account_disabled' else 'session_ended' end as action
          from (select (n % 100)::integer as kind) n_) k
    returning position, id, at, action, outcome, provider, reason
), counted as (
    insert into audit_counts as c (hour, action, outcome, provider, reason, count)
    select date_trunc('hour', at, 'UTC'), action, outcome, coalesce(provider, ''),
           case when outcome = 'refused' then coalesce(reason, '') else '' end, count(*)
      from made group by 1, 2, 3, 4, 5
     -- The sealer writes hour after hour, too: the rows of a week stand together.
     order by 1
        on conflict (hour, action, outcome, provider, reason) do update set count = c.count + excluded.count
)
-- A link for each thousand events of one month; their digests are made up, without a key.
insert into audit_chain (position, first_at, last_at, key_id, event_ids, row_digests, digest)
select max(position), min(at), max(at), 'k1', array_agg(id order by position),
       string_agg(sha256(id::text::bytea), '' order by position), sha256(max(position)::text::bytea)
  from made group by date_trunc('month', at, 'UTC'), position / 1000;
