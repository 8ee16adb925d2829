-- Revokes an access key. Returns null, or the refusal.
-- Locks: access_keys (for update), *client_refusal.
-- Outcomes: null, not_found, nothing_to_change, *client_refusal
create or replace function revoke_access_key(p_key text, p_client text, p_actor uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    refused text;
    is_known boolean;
begin
    -- The key before its client: a change of the client by this key locks them in that order (access_key_refusal).
    perform from access_keys where id = p_key and client_id = p_client for update;
    is_known := found;
    refused := client_refusal(p_actor, p_client);
    if refused is not null then
        return refused;
    end if;
    if not is_known then
        return 'not_found';
    end if;
    update access_keys set revoked_at = now() where id = p_key and revoked_at is null;
    if not found then
        return 'nothing_to_change';
    end if;
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('access_key_revoked', 'done', 'operator', p_client, p_address, p_request, jsonb_build_object('key', p_key));
    return null;
end $$;
