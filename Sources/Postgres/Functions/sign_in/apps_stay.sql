-- A foreign key locks the row that it names with each insert: one row for all that an app's people do. Many at once make
-- lists of lockers of it, each list a write of its own; without them PostgreSQL works a tenth less on a sign-in. Apps are
-- turned off and never deleted, which is now what keeps the names good.
-- Locks: none
create or replace function apps_stay() returns trigger language plpgsql as $$
begin
    raise exception 'an app is turned off, never deleted' using errcode = 'foreign_key_violation';
end $$;
