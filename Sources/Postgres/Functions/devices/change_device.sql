-- Remembers a device with a secret, or no longer. A device that is remembered after two recent factors replaces the second,
-- also one that was remembered before with one factor.
-- Locks: accounts (for no key update), remembered_devices.
-- Outcomes: session_ended, reauth_required, not_found, changed
-- Invariant: an ended session stays ended. A stolen access token makes no device replace a second factor.
create or replace function change_device(
    p_device uuid, p_account uuid, p_remembered boolean, p_recent_seconds integer, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    if exists (select from accounts where id = p_account and guest) then
        return 'reauth_required';
    end if;
    update remembered_devices
       set is_remembered = p_remembered,
           is_proved = (is_remembered and is_proved) or proved_two_factors(p_session, p_recent_seconds)
     where id = p_device and account_id = p_account and srp_sealed is not null;
    if not found then
        return 'not_found';
    end if;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('device_changed', 'done', p_account, p_session, p_client, p_address, p_request,
            jsonb_build_object('device', p_device, 'remembered', p_remembered));
    return 'changed';
end $$;
