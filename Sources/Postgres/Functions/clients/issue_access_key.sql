-- Issues an access key of a client. `p_reach`: pool or gateway (reached_accounts). Without a digest the client authenticates
-- itself. Earlier keys go on, so that a back end changes its key without an outage. Returns null, or the refusal.
-- Locks: *client_refusal, access_keys (new).
-- Outcomes: null, *client_refusal
create or replace function issue_access_key(
    p_key text, p_client text, p_role text, p_reach text, p_digest bytea, p_sealed bytea, p_networks text[], p_expires_at timestamptz,
    p_actor uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    refused text := client_refusal(p_actor, p_client);
begin
    if refused is not null then
        return refused;
    end if;
    insert into access_keys (id, client_id, role, reach, secret_digest, secret_sealed, networks, expires_at, issued_by)
    values (p_key, p_client, p_role, p_reach, p_digest, p_sealed, p_networks, p_expires_at, p_actor);
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('access_key_issued', 'done', 'operator', p_client, p_address, p_request,
            jsonb_strip_nulls(jsonb_build_object('key', p_key, 'role', p_role, 'reach', p_reach, 'networks', p_networks,
                                                 'expires_at', utc(p_expires_at))));
    return null;
end $$;
