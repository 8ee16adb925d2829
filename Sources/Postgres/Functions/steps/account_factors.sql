-- Everything about an account that a step may need, in one read. It is plpgsql, which caches its plan; as sql every
-- call would plan again, ten times the cost.
-- Locks: none
create or replace function account_factors(p_account uuid) returns jsonb language plpgsql stable as $$
begin
    return (select jsonb_build_object(
        'status', a.status, 'mfa', a.mfa, 'demanded', a.mfa_demanded, 'password_state', a.password_state,
        'has_password', w.account_id is not null, 'password_set_through', w.set_through, 'password_set_at', extract(epoch from w.set_at), 'former_hashes', to_jsonb(w.former_hashes),
        'display_name', a.display_name, 'user_name', a.user_name,
        'emails', (select jsonb_agg(jsonb_build_object('address', e.address, 'key', e.address_key, 'main', e.is_main) order by e.is_main desc, e.added_at)
                     from account_emails e where e.account_id = a.id and e.proved_at is not null and not e.is_relay),
        'phones', (select jsonb_agg(p.phone_key order by p.is_main desc, p.added_at)
                     from account_phones p where p.account_id = a.id and p.proved_at is not null),
        'factors', (select jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'address', f.address, 'key', f.address_key,
                                                        'sealed', encode(f.sealed, 'base64'), 'counter', f.counter, 'preferred', f.is_preferred,
                                                        'added_at', extract(epoch from f.added_at), 'used_at', extract(epoch from f.used_at))
                                     order by f.added_at, f.id)
                      from factors f where f.account_id = a.id),
        'passkeys', (select jsonb_agg(jsonb_build_object('id', k.id, 'credential', encode(k.credential_id, 'base64'),
                                                         'public_key', encode(k.public_key, 'base64'), 'user_handle', encode(k.user_handle, 'base64'),
                                                         'counter', k.counter,
                                                         'transports', k.transports, 'backup_eligible', k.backup_eligible, 'backed_up', k.backed_up,
                                                         'name', k.name, 'preferred', k.is_preferred,
                                                         'added_at', extract(epoch from k.added_at), 'used_at', extract(epoch from k.used_at))
                                      order by k.added_at, k.id)
                       from passkeys k where k.account_id = a.id),
        'recovery_codes', (select count(*) from recovery_codes r where r.account_id = a.id and r.used_at is null),
        'known_devices', (select jsonb_agg(encode(k.digest, 'hex')) from known_devices k where k.account_id = a.id and k.expires_at > now()),
        'remembered', (select jsonb_agg(encode(d.digest, 'hex')) from remembered_devices d
                        where d.account_id = a.id and d.expires_at > now() and d.srp_sealed is null),
        'confirmed_devices', (select jsonb_agg(encode(d.digest, 'hex')) from remembered_devices d
                               where d.account_id = a.id and d.expires_at > now() and d.srp_sealed is not null))
      from accounts a left join passwords w on w.account_id = a.id where a.id = p_account);
end $$;
