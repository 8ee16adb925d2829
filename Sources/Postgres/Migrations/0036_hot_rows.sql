-- An app's row is no longer locked by each sign-in.

-- A foreign key locks the row that it names with each insert: one row for all that an app's people do. Many at once make
-- lists of lockers of it, each list a write of its own; without them PostgreSQL works a tenth less on a sign-in. Apps are
-- turned off and never deleted, which is now what keeps the names good.
create function apps_stay() returns trigger language plpgsql as $$
begin
    raise exception 'an app is turned off, never deleted' using errcode = 'foreign_key_violation';
end $$;
create trigger clients_stay before delete or truncate on clients for each statement execute function apps_stay();

-- In the order in which requests take them.
lock table flows, handover_codes, sessions, clients in access exclusive mode;
alter table flows drop constraint flows_client_id_fkey;
alter table handover_codes drop constraint handover_codes_client_id_fkey;
alter table sessions drop constraint sessions_client_id_fkey;
