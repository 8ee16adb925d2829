-- Permanently ends earlier sessions and codes of a client when it is enabled again.
-- Locks: none
-- Invariant: an ended session stays ended.
create or replace function client_enabled() returns trigger language plpgsql as $$
begin
    new.live_since := clock_timestamp();
    return new;
end $$;
