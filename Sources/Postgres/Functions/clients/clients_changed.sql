-- Tells every server to load the clients again.
-- Locks: none
create or replace function clients_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_clients', '');
    return null;
end $$;
