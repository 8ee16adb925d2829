-- Locks a client and returns why an operator may not change it, or null. Only an owner may change a client for
-- administration or its secret: such a change could lock out all operators or capture their sessions. The same counts for
-- a client that acts as an operator itself, with a key without a secret. No actor means the command line.
-- operator_refusal has checked role and session in the same transaction.
-- Locks: clients (for update).
-- Outcomes: not_found, role_too_low, null
create or replace function client_refusal(p_actor uuid, p_client text) returns text language plpgsql as $$
declare
    permissions text[];
begin
    select audiences into permissions from clients where id = p_client for update;
    if not found then
        return 'not_found';
    end if;
    if p_actor is not null
       and ('administration' = any (permissions)
            or exists (select from access_keys k where k.client_id = p_client and k.secret_digest is null and k.revoked_at is null))
       and not exists (select from operators where account_id = p_actor and role = 'owner') then
        return 'role_too_low';
    end if;
    return null;
end $$;
