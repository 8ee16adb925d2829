-- Disables or enables an account. Disabling ends everything. Enabling only allows sign-ins again; it does not cancel the
-- deletion by an operator or a back end, which disabled the account.
-- Locks: accounts (for update), *end_account_access.
-- Invariant: an ended session stays ended.
create or replace function set_account_status(p_account uuid, p_status text, p_reason text, p_request text) returns boolean
language plpgsql as $$
begin
    perform 1 from accounts where id = p_account for update;   -- waits for sign-ins in progress
    update accounts set status = p_status, changed_at = now() where id = p_account and status <> p_status and status <> 'closed'
       and not (p_status = 'active' and deletion_due_at is not null and deletion_by is distinct from 'person');
    if not found then
        return false;
    end if;
    if p_status <> 'active' then
        perform end_account_access(p_account, 'account_' || p_status);
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, request_id)
    values ('account_' || p_status, 'done', p_reason, p_account, p_request);
    return true;
end $$;
