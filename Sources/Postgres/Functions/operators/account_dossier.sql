-- Everything about an account that operators may see. It contains no usable credential.
-- Locks: none
create or replace function account_dossier(p_account uuid) returns jsonb language plpgsql stable as $$
declare
    dossier jsonb;
begin
    select account_line(a.id) || jsonb_build_object(
        'changed_at', utc(a.changed_at), 'mfa_demanded', a.mfa_demanded, 'password_state', a.password_state,
        'first_factor', a.first_factor, 'attributes', a.attributes,
        'password_set_at', (select utc(w.set_at) from passwords w where w.account_id = a.id),
        'recovery_codes_left', (select count(*) from recovery_codes c where c.account_id = a.id and c.used_at is null),
        'factor_removal_due_at', (select utc(r.due_at) from factor_removals r where r.account_id = a.id),
        'emails', (select coalesce(jsonb_agg(jsonb_build_object(
                        'address', e.address, 'source', e.source, 'proved_at', utc(e.proved_at), 'is_main', e.is_main, 'is_relay', e.is_relay,
                        'undeliverable_since', utc(e.undeliverable_since), 'added_at', utc(e.added_at)) order by e.is_main desc, e.added_at), '[]')
                     from account_emails e where e.account_id = a.id),
        'phones', (select coalesce(jsonb_agg(jsonb_build_object(
                        'number', p.phone_key, 'source', p.source, 'proved_at', utc(p.proved_at), 'is_main', p.is_main,
                        'undeliverable_since', utc(p.undeliverable_since), 'added_at', utc(p.added_at)) order by p.is_main desc, p.added_at), '[]')
                     from account_phones p where p.account_id = a.id),
        'identities', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', i.id, 'provider', i.provider, 'realm', i.realm, 'subject', i.subject, 'email', i.email,
                        'email_verified', i.email_verified, 'email_is_relay', i.email_is_relay, 'display_name', i.display_name,
                        'linked_by', i.linked_by, 'linked_at', utc(i.linked_at),
                        'used_at', (select utc(max(s.rotated_at)) from sessions s where s.account_id = a.id and s.identity_id = i.id and s.ended_at is null),
                        'keeps_token', exists (select from provider_tokens t where t.identity_id = i.id)) order by i.linked_at, i.id), '[]')
                     from identities i where i.account_id = a.id),
        'factors', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', f.id, 'kind', f.kind, 'name', f.name, 'address', f.address, 'is_preferred', f.is_preferred,
                        'added_at', utc(f.added_at), 'used_at', utc(f.used_at)) order by f.added_at, f.id), '[]')
                     from factors f where f.account_id = a.id),
        'passkeys', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', k.id, 'name', k.name, 'backed_up', k.backed_up, 'attestation', k.attestation,
                        'added_at', utc(k.added_at), 'used_at', utc(k.used_at)) order by k.added_at, k.id), '[]')
                     from passkeys k where k.account_id = a.id),
        'sessions', (select coalesce(jsonb_agg(session), '[]') from (
                        select jsonb_build_object(
                            'id', s.id, 'client_id', s.client_id, 'provider', s.provider, 'identity_id', s.identity_id, 'acr', s.acr, 'amr', s.amr,
                            'dialect', coalesce(s.dialect, 'gateway'),
                            'device_name', s.device_name, 'user_agent', s.user_agent, 'address', s.address, 'created_at', utc(s.created_at),
                            'last_used_at', utc(s.rotated_at), 'idle_expires_at', utc(least(s.idle_expires_at, s.expires_at)),
                            'expires_at', utc(s.expires_at)) as session
                          from sessions s
                         where s.account_id = a.id and s.ended_at is null and s.idle_expires_at > now() and s.expires_at > now()
                           and not exists (select from clients c
                                            where c.id = s.client_id and (c.disabled_at is not null or s.created_at < c.live_since))
                         order by s.rotated_at desc, s.id limit 100) open),
        'devices', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', d.id, 'name', d.name, 'added_at', utc(d.added_at), 'used_at', utc(d.used_at), 'expires_at', utc(d.expires_at))
                        order by d.added_at, d.id), '[]')
                     from remembered_devices d where d.account_id = a.id and d.is_remembered and d.expires_at > now()),
        'absorbed', (select coalesce(jsonb_agg(m.id order by m.changed_at), '[]') from accounts m where m.merged_into = a.id),
        'changes', (select coalesce(jsonb_agg(jsonb_build_object(
                        'id', c.id, 'kind', c.kind, 'account_id', c.account_id, 'other_id', c.other_id, 'actor_id', c.actor_id, 'made_at', utc(c.made_at),
                        'undo_until', utc(c.undo_until), 'undone_at', utc(c.undone_at)) order by c.made_at desc, c.id), '[]')
                     from account_changes c where a.id in (c.account_id, c.other_id)))
      into dossier from accounts a where a.id = p_account;
    return dossier;
end $$;
