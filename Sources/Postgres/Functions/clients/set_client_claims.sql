-- Sets the additional claims of a client; a JSON null removes them. The same claims again change nothing, so that no
-- session asks the webhook again.
-- Locks: client_claims, *client_claims_changed.
create or replace function set_client_claims(p_client text, p_claims jsonb) returns void language plpgsql as $$
begin
    if jsonb_typeof(p_claims) = 'null' then
        delete from client_claims where client_id = p_client;
        return;
    end if;
    insert into client_claims as k (client_id, url, audience, application, allowed, failure, attributes, refresh_seconds)
    select p_client, c.url, c.audience, c.application, c.allowed, c.failure, c.attributes, c.refresh_seconds
      from jsonb_to_record(p_claims) as c (url text, audience text, application text, allowed text[], failure text,
                                           attributes jsonb, refresh_seconds integer)
    on conflict (client_id) do update
       set url = excluded.url, audience = excluded.audience, application = excluded.application, allowed = excluded.allowed,
           failure = excluded.failure, attributes = excluded.attributes, refresh_seconds = excluded.refresh_seconds
     where k is distinct from excluded;
end $$;
