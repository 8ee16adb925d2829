-- Adds a device that proves itself by a secret. A session that recently proved two factors lets it replace the second one.
-- Locks: accounts (for no key update), remembered_devices.
-- Outcomes: session_ended, reauth_required, factor_exists, confirmed
-- Invariant: an ended session stays ended. A stolen access token adds no replacement of a second factor.
create or replace function confirm_device(
    p_device uuid, p_account uuid, p_digest bytea, p_name text, p_realm text, p_srp_name text, p_salt bytea, p_sealed bytea,
    p_remembered boolean, p_life integer, p_recent_seconds integer, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    if exists (select from accounts where id = p_account and guest) then
        return 'reauth_required';
    end if;
    insert into remembered_devices (id, account_id, digest, name, expires_at, srp_realm, srp_name, srp_salt, srp_sealed, is_remembered, is_proved)
    values (p_device, p_account, p_digest, p_name, now() + make_interval(secs => p_life), p_realm, p_srp_name, p_salt, p_sealed, p_remembered,
            proved_two_factors(p_session, p_recent_seconds))
    on conflict do nothing;
    if not found then
        return 'factor_exists';
    end if;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('device_confirmed', 'done', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('device', p_device, 'remembered', p_remembered));
    return 'confirmed';
end $$;
