-- Cancels a pending deletion, for the side that asked for it: the user, or an operator for operators and back ends. If a
-- session requests it, the session must be live, so it began after the request. An account that the deletion disabled is
-- active again.
-- Locks: accounts (for no key update).
-- Outcomes: not_found, session_ended, cancelled
-- Invariant: an ended session stays ended.
create or replace function cancel_deletion(
    p_account uuid, p_actor uuid, p_by text, p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    perform 1 from accounts where id = p_account and deletion_due_at is not null
                              and (deletion_by is null or (deletion_by = 'person') = (p_by = 'person')) for no key update;
    if not found then
        return 'not_found';
    end if;
    if p_session is not null
       and not exists (select from sessions s join accounts a on a.id = s.account_id and a.status = 'active'
                        where s.id = p_session and s.account_id = p_account and s.ended_at is null and s.expires_at > now())
    then
        return 'session_ended';
    end if;
    update accounts
       set deletion_requested_at = null, deletion_due_at = null, deletion_by = null, deletion_disabled = false, changed_at = now(),
           status = case when deletion_disabled then 'active' else status end
     where id = p_account;
    insert into audit_inbox (action, outcome, reason, account_id, actor_id, session_id, client_id, address, request_id)
    values ('deletion_cancelled', 'done', nullif(p_by, 'person'), p_account, p_actor, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'deletion_cancelled', '{}', p_client);
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'cancelled';
end $$;
