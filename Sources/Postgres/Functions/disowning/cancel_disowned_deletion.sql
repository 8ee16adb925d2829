-- Cancels a pending deletion that the user asked for since a disowned sign-in began: the intruder may have asked. Returns whether
-- there was one. The deletion of an operator or a back end stays.
-- Locks: accounts. The caller holds the account for update.
create or replace function cancel_disowned_deletion(
    p_account uuid, p_since timestamptz, p_session uuid, p_client text, p_address text, p_request text)
returns boolean language plpgsql as $$
begin
    update accounts
       set deletion_requested_at = null, deletion_due_at = null, deletion_by = null, deletion_disabled = false, changed_at = now()
     where id = p_account and deletion_by = 'person' and deletion_requested_at >= p_since;
    if not found then
        return false;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('deletion_cancelled', 'done', null, p_account, p_session, p_client, p_address, p_request, jsonb_build_object('disowned', true));
    perform notify_account(p_account, 'deletion_cancelled', '{}', p_client);
    return true;
end $$;
