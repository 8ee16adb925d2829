-- Prevents the deletion of clients that an operator registered. They are disabled, never deleted, so tables need no foreign key to
-- them. A foreign key would lock the same client row in every sign-in, which costs a tenth of the throughput. A client that came
-- by itself is deleted while no user granted it anything: it has no session then.
-- Locks: none
create or replace function apps_stay() returns trigger language plpgsql as $$
begin
    raise exception 'an app is turned off, never deleted' using errcode = 'foreign_key_violation';
end $$;
