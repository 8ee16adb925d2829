-- Forgets a remembered device, which then needs the second factor again.
-- Locks: accounts (for no key update), remembered_devices.
-- Outcomes: session_ended, not_found, forgotten
-- Invariant: an ended session stays ended.
create or replace function forget_device(p_account uuid, p_device uuid, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for no key update;
    if not session_lives(p_account, p_session) then
        return 'session_ended';
    end if;
    delete from remembered_devices where id = p_device and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('device_forgotten', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('device', p_device));
    return 'forgotten';
end $$;
