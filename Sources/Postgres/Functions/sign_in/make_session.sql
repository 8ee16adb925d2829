-- Creates the session; callers have checked that no step is due. The API of another vendor cannot say that the account's
-- deletion is pending, so it gets none. A proved second factor cancels a
-- pending factor removal. A sign-in from a new device leaves an event and a notice; the first one of an account does not.
-- Locks: sessions (new), *cancel_factor_removal, *know_device, *note_new_device, account_apps. The caller holds the account (`for key share` at least).
-- Outcomes: deletion_waits, signed_in
create or replace function make_session(
    p session_request, p_account uuid, p_identity uuid, p_action text, p_reason text, p_detail jsonb, p_proofs jsonb)
returns text language plpgsql as $$
begin
    if p.dialect is not null and deletion_waits(p_account, null) then
        return 'deletion_waits';
    end if;
    insert into sessions (id, account_id, client_id, identity_id, provider, auth_time, amr, acr, refresh_digest, proofs,
                          rotated_at, idle_seconds, idle_expires_at, expires_at, device_name, address, user_agent, administers,
                          scopes, dialect, key_thumbprint, language)
    values (p.id, p_account, p.client_id, p_identity, p.provider, p.auth_time, p.amr, p.acr, p.refresh_digest, p_proofs, now(),
            p.idle_seconds, now() + make_interval(secs => least(p.idle_seconds, p.max_seconds)),
            now() + make_interval(secs => p.max_seconds), p.device_name, p.address, p.user_agent, coalesce(p.administers, false), p.scopes, p.dialect,
            p.key_thumbprint, p.language);
    if p.acr = '2' then
        perform cancel_factor_removal(p_account, 'factor_proved', p.id, p.client_id, p.address, null);
    end if;
    if p.device_digest is not null then
        perform know_device(p_account, p.device_digest, p.device_seconds, p.most_devices);
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values (p_action, 'done', p_reason, p_account, p_identity, p.id, p.client_id, p.provider, p.address, p.request_id, p_detail);
    if p_action <> 'account_created' then
        -- An app that signs in without its user (`app_signed_in`) tells nothing of the user's devices.
        if p_action <> 'app_signed_in' and not knows_device(p_account, p) then
            perform note_new_device(p_account, p);
        end if;
        -- After the lock of new devices, so that two first sign-ins wait in the same order.
        if not exists (select from accounts a
                        where a.id = p_account
                          and (a.client_id = p.client_id
                               or exists (select from account_apps m where m.account_id = a.id and m.client_id = p.client_id))) then
            insert into account_apps (account_id, client_id) values (p_account, p.client_id) on conflict do nothing;
        end if;
    end if;
    return 'signed_in';
end $$;
