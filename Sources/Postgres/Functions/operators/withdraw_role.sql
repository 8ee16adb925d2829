-- Withdraws an operator's role, cancels the factor removals that this operator requested, and ends the sessions in which this
-- operator acts for others. Returns null, or the refusal.
-- Locks: advisory operators, operators, *cancel_factor_removals_by, *end_impersonations.
-- Outcomes: not_found, last_owner, null
create or replace function withdraw_role(p_account uuid, p_address text, p_request text) returns text
language plpgsql as $$
declare
    former text;
begin
    perform pg_advisory_xact_lock(hashtextextended('operators', 4));
    select role into former from operators where account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    if former = 'owner' and not exists (select from operators where role = 'owner' and account_id <> p_account) then
        return 'last_owner';
    end if;
    delete from operators where account_id = p_account;
    perform cancel_factor_removals_by(p_account, p_address, p_request);
    perform end_impersonations(p_account, 'ended_by_operator');
    insert into audit_inbox (action, outcome, account_id, address, request_id, detail)
    values ('role_withdrawn', 'done', p_account, p_address, p_request,
            jsonb_build_object('before', former, 'after', null));
    return null;
end $$;
