-- Locks a client and says why an operator may not change it, or null. A client for administration is an owner's alone, its
-- secret too: who changes it could lock every operator out, or let an operator's session come to them. No actor is the
-- command line. The role and its session were checked before, in the same transaction (operator_refusal).
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
    if p_actor is not null and 'administration' = any (permissions)
       and not exists (select from operators where account_id = p_actor and role = 'owner') then
        return 'role_too_low';
    end if;
    return null;
end $$;
