-- All that lets somebody into an account, with its age, the newest first: what a role would rest on.
create or replace function sign_in_methods(p_account uuid) returns jsonb language sql stable as $$
    select coalesce(jsonb_agg(jsonb_build_object('kind', m.kind, 'name', m.name, 'since', utc(m.since), 'by', m.origin) order by m.since desc, m.kind, m.name), '[]')
      from (select 'identity' as kind, i.provider || coalesce(' ' || i.email, ' ' || i.subject) as name, i.linked_at as since, i.linked_by as origin
              from identities i where i.account_id = p_account
            union all
            select 'password', null, w.set_at, null from passwords w where w.account_id = p_account
            union all
            select 'email', e.address, e.proved_at, e.source from account_emails e where e.account_id = p_account and e.proved_at is not null
            union all
            select 'phone', p.phone_key, p.proved_at, p.source from account_phones p where p.account_id = p_account and p.proved_at is not null
            union all
            select f.kind, coalesce(f.name, f.address), f.added_at, null from factors f where f.account_id = p_account
            union all
            select 'passkey', k.name, k.added_at, null from passkeys k where k.account_id = p_account
            union all
            select 'device', d.name, d.added_at, null from remembered_devices d where d.account_id = p_account and d.expires_at > now()) m;
$$;
