-- Adds the client of an app that registers itself. Returns 0, or the seconds to wait. Registrations that no user granted anything to
-- within a day are deleted, here too, so that strangers can't fill the table.
-- Locks: *take_from_throttles, advisory client registrations, *sweep_registrations, clients (new).
create or replace function register_client(
    p_client text, p_name text, p_secret bytea, p_redirect_uris text[], p_keys jsonb, p_providers text[], p_most integer, p_address text,
    p_request text, p_buckets bytea[], p_bursts bigint[], p_periods bigint[])
returns double precision language plpgsql as $$
declare
    wait double precision := take_from_throttles(p_buckets, p_bursts, p_periods);
begin
    if wait > 0 then
        return wait;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('client registrations', 4));
    perform sweep_registrations(100);
    if (select count(*) from clients where origin = 'registration') >= p_most then
        return 60;
    end if;
    insert into clients (id, name, origin, type, secret_digest, audiences, redirect_uris, providers, openid)
    values (p_client, p_name, 'registration', case when p_secret is null and p_keys = '{}' then 'public' else 'confidential' end, p_secret,
            '{}', p_redirect_uris, p_providers, '{"third_party": true}' || p_keys);
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('client_added', 'done', 'registration', p_client, p_address, p_request,
            jsonb_build_object('name', p_name, 'redirect_uris', to_jsonb(p_redirect_uris)) || p_keys);
    return 0;
end $$;
