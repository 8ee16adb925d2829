-- Marks the claims of a client's open sessions as due when its settings change. The next refresh requests them.
-- Locks: advisory client claims, clients, sessions (for no key update). Sessions by id. The advisory lock waits for statements
-- that store claims, so their sessions are found too.
create or replace function client_claims_changed() returns trigger language plpgsql as $$
declare
    app text := coalesce(new.client_id, old.client_id);
begin
    perform pg_advisory_xact_lock(hashtextextended(app, 5));
    update clients set claims_changed_at = clock_timestamp() where id = app;
    perform 1 from sessions where client_id = app and ended_at is null and expires_at > now() order by id for no key update;
    update sessions set claims_due_at = now() where client_id = app and ended_at is null and expires_at > now();
    perform pg_notify('gateway_clients', '');
    perform pg_notify('gateway_sessions', 'all');
    return null;
end $$;
