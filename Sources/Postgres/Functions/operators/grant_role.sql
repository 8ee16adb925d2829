-- Makes an account an operator or changes its role; the account then needs a second factor. Its sessions and flows end,
-- so that none from before has the role. `p_confirm_seconds`: a second owner must confirm a new owner within this time;
-- null: no confirmation. `p_force`: the command line overrides grant_refusal. Returns null, or the refusal;
-- second_owner_needed means that the next owner who grants the same role confirms it.
-- Locks: advisory operators, accounts (for update), owner_proposals, operators, *cancel_factor_removal,
-- *cancel_factor_removals_by, *end_account_access.
-- Outcomes: not_found, nothing_to_change, last_owner, second_owner_needed, null, *grant_refusal
create or replace function grant_role(
    p_account uuid, p_role text, p_actor uuid, p_address text, p_request text, p_confirm_seconds integer default null, p_force boolean default false)
returns text language plpgsql as $$
declare
    former text;
    refused text;
begin
    perform pg_advisory_xact_lock(hashtextextended('operators', 4));   -- else two owners could demote each other
    perform from accounts where id = p_account and status = 'active' for update;   -- waits for sign-ins in progress
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
    if operator_rank(p_role) > coalesce(operator_rank(former), 0) and not (p_force and p_actor is null) then
        refused := grant_refusal(p_account);
        if refused is not null then
            return refused;
        end if;
    end if;
    if p_role = 'owner' and p_confirm_seconds is not null and p_actor is not null then
        delete from owner_proposals p
         where p.account_id = p_account and p.proposed_by <> p_actor and p.proposed_at > now() - make_interval(secs => p_confirm_seconds)
           and exists (select from operators o where o.account_id = p.proposed_by and o.role = 'owner');
        if not found then
            insert into owner_proposals (account_id, proposed_by) values (p_account, p_actor)
            on conflict (account_id) do update set proposed_by = excluded.proposed_by, proposed_at = now();
            insert into audit_inbox (action, outcome, account_id, address, request_id)
            values ('owner_proposed', 'done', p_account, p_address, p_request);
            return 'second_owner_needed';
        end if;
    end if;
    update accounts set mfa_demanded = true, changed_at = now() where id = p_account;
    insert into operators (account_id, role, granted_by) values (p_account, p_role, p_actor)
    on conflict (account_id) do update set role = excluded.role, granted_by = excluded.granted_by, granted_at = now();
    perform cancel_factor_removal(p_account, 'operator_account', null, null, p_address, p_request);
    if operator_rank(p_role) < operator_rank('admin') then
        perform cancel_factor_removals_by(p_account, p_address, p_request);
    end if;
    perform end_account_access(p_account, 'role_granted');
    insert into audit_inbox (action, outcome, account_id, address, request_id, detail)
    values ('role_granted', 'done', p_account, p_address, p_request,
            jsonb_build_object('before', former, 'after', p_role));
    perform notify_account(p_account, 'role_granted', jsonb_build_object('role', p_role));
    return null;
end $$;
