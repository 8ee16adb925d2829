-- All sign-in methods of an account, with the time and origin of each, newest first: the basis for granting a role. A
-- method from another account has the time of its move.
-- Locks: none
create or replace function sign_in_methods(p_account uuid) returns jsonb language sql stable as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'name', m.name, 'since', utc(m.since), 'by', m.origin) order by m.since desc, m.kind, m.name), '[]')
      from (select 'identity' as kind, i.provider || coalesce(' ' || i.email, ' ' || i.subject) as name,
                   coalesce(i.joined_at, i.linked_at) as since, coalesce(i.joined_by, i.linked_by) as origin
              from identities i where i.account_id = p_account
            union all
            select 'password', null, greatest(w.set_at, w.joined_at), w.joined_by from passwords w where w.account_id = p_account
            union all
            select 'email', e.address, greatest(e.proved_at, e.joined_at), coalesce(e.joined_by, e.source)
              from account_emails e where e.account_id = p_account and e.proved_at is not null
            union all
            select 'phone', p.phone_key, greatest(p.proved_at, p.joined_at), coalesce(p.joined_by, p.source)
              from account_phones p where p.account_id = p_account and p.proved_at is not null
            union all
            select f.kind, coalesce(f.name, f.address), coalesce(f.joined_at, f.added_at), f.joined_by from factors f where f.account_id = p_account
            union all
            select 'passkey', k.name, coalesce(k.joined_at, k.added_at), k.joined_by from passkeys k where k.account_id = p_account
            union all
            select 'device', d.name, d.added_at, null from remembered_devices d where d.account_id = p_account and d.is_remembered and d.expires_at > now()) m;
$$;
