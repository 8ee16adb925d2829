-- Closes an account without a sign-in method, such as when its only provider deletes the user. It is deleted after two
-- weeks; until then an operator can restore access.
-- Locks: accounts (for update), *end_account_access.
-- Invariant: an ended session stays ended; an open account has a usable sign-in method.
create or replace function close_account(p_account uuid, p_reason text, p_request text) returns void language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and status <> 'closed' for update;
    if not found then
        return;
    end if;
    update accounts
       set status = 'closed', changed_at = now(), deletion_requested_at = coalesce(deletion_requested_at, now()),
           deletion_due_at = least(deletion_due_at, now() + interval '14 days')
     where id = p_account;
    perform end_account_access(p_account, 'account_closed');
    insert into audit_inbox (action, outcome, reason, account_id, request_id)
    values ('account_closed', 'done', p_reason, p_account, p_request);
end $$;
