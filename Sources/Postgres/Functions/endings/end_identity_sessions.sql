-- Ends the sessions that began with an identity and notifies every server.
-- Locks: *lock_sessions, sessions, *note_logout. Sessions by id.
-- Invariant: an ended session stays ended.
create or replace function end_identity_sessions(p_account uuid, p_identity uuid, p_reason text) returns integer language plpgsql as $$
declare
    ended integer;
begin
    perform lock_sessions(array[p_account]);
    update sessions set ended_at = now(), end_reason = p_reason
     where account_id = p_account and identity_id = p_identity and ended_at is null;
    get diagnostics ended = row_count;
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return ended;
end $$;
