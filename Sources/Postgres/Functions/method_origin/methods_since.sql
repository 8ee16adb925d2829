-- The sign-in methods and second factors that an account gained since a moment, newest first: each with its id or address, a
-- name for its user, and whether a session of the account added it. A user's own merge of two accounts counts as a session.
-- Locks: none
create or replace function methods_since(p_account uuid, p_since timestamptz)
returns table (kind text, id text, name text, by_session boolean) language sql stable as $$
    select m.kind, m.id, m.name,
           m.added_by is not null and m.added_at >= p_since or coalesce(m.joined_by = 'own_merge' and m.joined_at >= p_since, false)
      from (select 'identity' as kind, i.id::text as id, i.provider || coalesce(' ' || i.email, '') as name, i.linked_at as added_at, i.added_by,
                   i.joined_at, i.joined_by
              from identities i where i.account_id = p_account
            union all
            select 'email', e.address_key, e.address, e.proved_at, e.added_by, e.joined_at, e.joined_by
              from account_emails e where e.account_id = p_account and e.proved_at is not null
            union all
            select 'phone', p.phone_key, p.phone_key, p.proved_at, p.added_by, p.joined_at, p.joined_by
              from account_phones p where p.account_id = p_account and p.proved_at is not null
            union all
            select case f.kind when 'totp' then f.kind else f.kind || '_otp' end, f.id::text, coalesce(f.name, f.address), f.added_at, f.added_by, f.joined_at, f.joined_by
              from factors f where f.account_id = p_account
            union all
            select 'passkey', k.id::text, k.name, k.added_at, k.added_by, k.joined_at, k.joined_by
              from passkeys k where k.account_id = p_account
            union all
            select 'password', '', null, w.added_at, w.added_by, w.joined_at, w.joined_by
              from passwords w where w.account_id = p_account
            union all
            select 'recovery_codes', '', null, max(r.added_at), (array_agg(r.added_by))[1], null, null
              from recovery_codes r where r.account_id = p_account having count(*) > 0) m
     where greatest(m.added_at, m.joined_at) >= p_since
     order by greatest(m.added_at, m.joined_at) desc, m.kind, m.id;
$$;
