-- Prevents the deletion of clients. Clients are disabled, never deleted, so tables need no foreign key to them. A
-- foreign key would lock the same client row in every sign-in, which costs a tenth of the throughput.
-- Locks: none
create or replace function apps_stay() returns trigger language plpgsql as $$
begin
    raise exception 'an app is turned off, never deleted' using errcode = 'foreign_key_violation';
end $$;
