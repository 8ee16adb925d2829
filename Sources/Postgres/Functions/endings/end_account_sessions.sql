-- Ends all sessions of an account, and those in which it acts for others. Every server is notified at commit.
-- Locks: *lock_sessions, sessions, *note_logout, *end_impersonations. Sessions by id.
-- Invariant: an ended session stays ended.
create or replace function end_account_sessions(p_account uuid, p_reason text, p_except uuid) returns integer language plpgsql as $$
declare
    ended integer;
begin
    perform lock_sessions(array[p_account]);
    update sessions set ended_at = now(), end_reason = p_reason
     where account_id = p_account and ended_at is null and id is distinct from p_except;
    get diagnostics ended = row_count;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    perform end_impersonations(p_account, p_reason);
    return ended;
end $$;
