-- Notifies every server to read the changed texts of messages.
-- Locks: none
create or replace function message_texts_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('gateway_messages', '');
    return null;
end $$;
