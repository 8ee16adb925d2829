-- Ends the sessions and codes of a client for good when it is enabled again: those that began before are over.
-- Locks: none
-- Invariant: nothing works after it was ended.
create or replace function client_enabled() returns trigger language plpgsql as $$
begin
    new.live_since := clock_timestamp();
    return new;
end $$;
