-- Ends one session of an account. Returns false if the account has no such open session.
-- Locks: sessions.
-- Invariant: an ended session stays ended.
create or replace function end_session(p_account uuid, p_session uuid, p_reason text, p_client text, p_address text, p_request text) returns boolean
language plpgsql as $$
begin
    update sessions set ended_at = now(), end_reason = p_reason where id = p_session and account_id = p_account and ended_at is null;
    if not found then
        return false;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('session_ended', 'done', p_reason, p_account, p_session, p_client, p_address, p_request);
    perform pg_notify('gateway_sessions', 'session:' || p_session);
    return true;
end $$;
