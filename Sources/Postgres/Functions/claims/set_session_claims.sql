-- Stores the claims of a live session (null keeps them) and returns them; no row for an ended session. Claims requested
-- before a change of the client's settings stay due.
-- Locks: *next_claims_due, sessions.
create or replace function set_session_claims(p_session uuid, p_claims jsonb, p_map jsonb, p_most_bytes integer, p_due_seconds integer) returns setof jsonb
language plpgsql as $$
declare
    due timestamptz := next_claims_due(p_session, p_due_seconds);
begin
    return query
        update sessions s
           set claims = case when p_claims is null then s.claims else session_claims(s.account_id, p_claims, p_map, p_most_bytes) end,
               claims_due_at = due
         where s.id = p_session and s.ended_at is null and s.expires_at > now()
        returning coalesce(s.claims, '{}');
    if found then
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
end $$;
