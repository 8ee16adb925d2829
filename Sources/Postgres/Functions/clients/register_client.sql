-- Adds the client of an app that registers itself. Returns 0, or the seconds to wait. Registrations that no user granted anything to
-- within a day are deleted, here too, so that strangers can't fill the table. `p_invited`: it had the initial access token.
-- Locks: *take_from_throttles, advisory client registrations, *sweep_registrations, clients (new), agents (new).
create or replace function register_client(
    p_client text, p_name text, p_secret bytea, p_redirect_uris text[], p_providers text[], p_openid jsonb, p_invited boolean, p_most integer,
    p_address text, p_request text,
    p_buckets bytea[], p_bursts bigint[], p_periods bigint[])
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
    values (p_client, p_name, 'registration',
            case when p_secret is null and not p_openid ?| array['jwks', 'jwks_uri'] then 'public' else 'confidential' end, p_secret, '{}',
            p_redirect_uris, p_providers, '{"third_party": true}'::jsonb || p_openid);
    insert into agents (client_id, is_invited) values (p_client, p_invited);
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('client_added', 'done', 'registration', p_client, p_address, p_request,
            jsonb_build_object('name', p_name, 'redirect_uris', to_jsonb(p_redirect_uris))
            || p_openid - array['subject_type', 'sector_identifier_uri']);
    return 0;
end $$;
