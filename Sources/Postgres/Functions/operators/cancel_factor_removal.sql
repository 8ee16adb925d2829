-- Cancels a pending factor removal. Returns whether there was one.
-- Locks: factor_removals.
create or replace function cancel_factor_removal(p_account uuid, p_reason text, p_session uuid, p_client text, p_address text, p_request text)
returns boolean language plpgsql as $$
begin
    delete from factor_removals where account_id = p_account;
    if not found then
        return false;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('factor_removal_cancelled', 'done', p_reason, p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'factor_removal_cancelled', '{}', p_client);
    return true;
end $$;
