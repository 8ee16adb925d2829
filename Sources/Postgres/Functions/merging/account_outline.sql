-- The sign-in methods and owner data of an account that an undo depends on, as ids and digests, so that the audit log
-- may contain it.
-- Locks: none
create or replace function account_outline(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    outline jsonb;
begin
    select jsonb_build_object(
        'status', a.status, 'mfa', a.mfa, 'mfa_demanded', a.mfa_demanded, 'password_state', a.password_state,
        'user_name', left(encode(sha256(convert_to(a.user_name_key, 'UTF8')), 'hex'), 16),
        'password', (select extract(epoch from w.set_at) from passwords w where w.account_id = a.id),
        'role', (select o.role from operators o where o.account_id = a.id),
        'identities', (select coalesce(jsonb_agg(i.id order by i.id), '[]') from identities i where i.account_id = a.id),
        'passkeys', (select coalesce(jsonb_agg(k.id order by k.id), '[]') from passkeys k where k.account_id = a.id),
        'factors', (select coalesce(jsonb_agg(f.id order by f.id), '[]') from factors f where f.account_id = a.id),
        'emails', (select coalesce(jsonb_agg(left(encode(sha256(convert_to(e.address_key, 'UTF8')), 'hex'), 16)
                                             || case when e.proved_at is null then ' unproved' else '' end order by e.address_key), '[]')
                     from account_emails e where e.account_id = a.id),
        'phones', (select coalesce(jsonb_agg(left(encode(sha256(convert_to(p.phone_key, 'UTF8')), 'hex'), 16)
                                             || case when p.proved_at is null then ' unproved' else '' end order by p.phone_key), '[]')
                     from account_phones p where p.account_id = a.id))
      into outline from accounts a where a.id = p_account;
    return outline;
end $$;
