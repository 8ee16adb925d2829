-- Ends the sessions of a client that is disabled: every server drops its cached sessions.
-- Locks: none
-- Invariant: an ended session stays ended.
create or replace function client_disabled() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_sessions', 'client:' || new.id);
    return null;
end $$;
