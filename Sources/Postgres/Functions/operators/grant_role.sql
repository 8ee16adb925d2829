-- Makes an account an operator, or changes its role; from then on it needs a second factor. Null, or why not.
create or replace function grant_role(p_account uuid, p_role text, p_actor uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    former text;
begin
    perform pg_advisory_xact_lock(hashtextextended('operators', 4));   -- or two owners could demote each other
    update accounts set mfa_demanded = true, changed_at = now() where id = p_account and status = 'active';
    if not found then
        return 'not_found';
    end if;
    select role into former from operators where account_id = p_account;
    if former = p_role then
        return 'nothing_to_change';
    end if;
    if former = 'owner' and not exists (select from operators where role = 'owner' and account_id <> p_account) then
        return 'last_owner';
    end if;
    insert into operators (account_id, role, granted_by) values (p_account, p_role, p_actor)
    on conflict (account_id) do update set role = excluded.role, granted_by = excluded.granted_by, granted_at = now();
    insert into audit_events (action, outcome, account_id, address, request_id, detail)
    values ('role_granted', 'done', p_account, p_address, p_request,
            jsonb_build_object('before', former, 'after', p_role));
    return null;
end $$;
