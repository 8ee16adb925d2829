-- Sets the password state for an operator or a back end (`p_by`): a password, a temporary one, or a required reset.
-- Locks: accounts (for update), *put_in_password, *end_account_access.
-- Outcomes: not_found, done
-- Invariant: an ended session stays ended.
create or replace function set_password_state(p_account uuid, p_state text, p_password password_verifiers, p_by text, p_request text) returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and status = 'active' for update;   -- waits for sign-ins in progress
    if not found then
        return 'not_found';
    end if;
    if (p_password).hash is not null then
        perform put_in_password(p_account, p_password, p_by);
    end if;
    update accounts set password_state = p_state, changed_at = now() where id = p_account;
    perform end_account_access(p_account, 'password_' || p_state);
    insert into audit_inbox (action, outcome, reason, account_id, request_id)
    values ('password_set', 'done', 'operator_' || p_state, p_account, p_request);
    perform notify_account(p_account, 'password_changed', jsonb_build_object('reason', 'operator'));
    return 'done';
end $$;
