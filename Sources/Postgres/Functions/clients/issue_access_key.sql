-- Issues an access key of a client. `p_reach`: pool or gateway (reached_accounts). Returns null, or the refusal.
-- Locks: *client_refusal, access_keys (new).
-- Outcomes: null, *client_refusal
create or replace function issue_access_key(
    p_key text, p_client text, p_role text, p_reach text, p_sealed bytea, p_actor uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    refused text := client_refusal(p_actor, p_client);
begin
    if refused is not null then
        return refused;
    end if;
    insert into access_keys (id, client_id, role, reach, secret_sealed, issued_by) values (p_key, p_client, p_role, p_reach, p_sealed, p_actor);
    insert into audit_inbox (action, outcome, reason, client_id, address, request_id, detail)
    values ('access_key_issued', 'done', 'operator', p_client, p_address, p_request, jsonb_build_object('key', p_key, 'role', p_role, 'reach', p_reach));
    return null;
end $$;
