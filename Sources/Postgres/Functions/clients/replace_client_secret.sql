-- Replaces the secret of a client, by its digest or sealed. The other form is null, so no secret has two. Returns null, or
-- the refusal.
-- Locks: *client_refusal, clients.
-- Outcomes: null, *client_refusal
create or replace function replace_client_secret(p_client text, p_digest bytea, p_sealed bytea, p_actor uuid) returns text
language plpgsql as $$
declare
    refused text := client_refusal(p_actor, p_client);
begin
    if refused is null then
        update clients set secret_digest = p_digest, secret_sealed = p_sealed where id = p_client;
    end if;
    return refused;
end $$;
