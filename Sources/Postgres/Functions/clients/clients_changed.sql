-- Notifies every server to reload the clients.
-- Locks: none
create or replace function clients_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_clients', '');
    return null;
end $$;
