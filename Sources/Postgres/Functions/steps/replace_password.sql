-- Sets a new password with all its verifiers. Sessions, remembered devices and flows of the old password end.
-- Locks: accounts, passwords, srp_verifiers, *keep_srp_verifiers, *end_other_flows, remembered_devices, known_devices, *end_account_sessions. The account before
-- its password, as in a sign-in.
-- Invariant: an ended session stays ended.
create or replace function replace_password(p_account uuid, p_password password_verifiers, p_reason text, p_except uuid, p_flow uuid, p_client text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    update accounts set password_state = 'usable', changed_at = now() where id = p_account;
    insert into passwords (account_id, hash) values (p_account, (p_password).hash)
    on conflict (account_id) do update set hash = excluded.hash, set_at = now(), set_through = null,
                                          former_hashes = '{}';
    delete from srp_verifiers where account_id = p_account;
    perform keep_srp_verifiers(p_account, p_password);
    perform end_other_flows(p_account, p_flow);
    delete from remembered_devices where account_id = p_account;
    delete from known_devices where account_id = p_account;
    perform end_account_sessions(p_account, p_reason, p_except);
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('password_set', 'done', p_reason, p_account, p_except, p_client, p_address, p_request);
    perform notify_account(p_account, 'password_changed', jsonb_build_object('reason', p_reason));
end $$;
