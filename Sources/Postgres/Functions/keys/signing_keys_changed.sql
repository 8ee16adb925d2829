-- Notifies every server to reload the signing keys.
-- Locks: none
create or replace function signing_keys_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_keys', '');
    return null;
end $$;
