-- Issues an access key of a client. `p_reach`: pool or gateway (reached_accounts). Without a digest the client authenticates
-- itself, and its earlier key of that kind is revoked: it has one at a time. Returns null, or the refusal.
-- Locks: *client_refusal, access_keys.
-- Outcomes: null, *client_refusal
create or replace function issue_access_key(
    p_key text, p_client text, p_role text, p_reach text, p_digest bytea, p_sealed bytea, p_networks text[], p_expires_at timestamptz,
    p_actor uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    refused text := client_refusal(p_actor, p_client);
    former text;
begin
    if refused is not null then
        return refused;
    end if;
    if p_digest is null then
        update access_keys set revoked_at = now() where client_id = p_client and secret_digest is null and revoked_at is null
        returning id into former;
    end if;
    insert into access_keys (id, client_id, role, reach, secret_digest, secret_sealed, networks, expires_at, issued_by)
    values (p_key, p_client, p_role, p_reach, p_digest, p_sealed, p_networks, p_expires_at, p_actor);
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('access_key_issued', 'done', 'operator', p_client, p_address, p_request,
            jsonb_strip_nulls(jsonb_build_object('key', p_key, 'role', p_role, 'reach', p_reach, 'networks', p_networks,
                                                 'expires_at', utc(p_expires_at), 'replaces', former)));
    return null;
end $$;
