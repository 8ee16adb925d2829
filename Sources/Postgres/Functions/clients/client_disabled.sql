-- A client that is disabled takes its sessions along: every server forgets what it believes of them.
-- Locks: none
-- Invariant: nothing works after it was ended.
create or replace function client_disabled() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_sessions', 'client:' || new.id);
    return null;
end $$;
