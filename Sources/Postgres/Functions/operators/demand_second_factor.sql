-- Requires a second factor of an account, or stops requiring it.
-- Locks: accounts.
-- Outcomes: not_found, done
create or replace function demand_second_factor(p_account uuid, p_demanded boolean, p_request text) returns text language plpgsql as $$
begin
    update accounts set mfa_demanded = p_demanded, changed_at = now() where id = p_account and status = 'active';
    if not found then
        return 'not_found';
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, request_id)
    values ('second_factor_demanded', 'done', case when p_demanded then 'demanded' else 'no_longer' end, p_account, p_request);
    return 'done';
end $$;
