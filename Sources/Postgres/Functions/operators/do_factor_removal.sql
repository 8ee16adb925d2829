-- Removes all second factors of an account whose removal is due: factors, passkeys, recovery codes, remembered devices.
-- Its sessions and flows end. Returns null, or the refusal.
-- Locks: accounts (for update), factor_removals, factors, passkeys, recovery_codes, *end_account_access.
-- Outcomes: not_found, nothing_to_change, last_credential, null
-- Invariant: an open account has a usable sign-in method.
create or replace function do_factor_removal(p_account uuid, p_providers text[], p_address text, p_request text) returns text
language plpgsql as $$
declare
    removal factor_removals;
begin
    perform from accounts where id = p_account and status = 'active' for update;   -- waits for sign-ins in progress
    if not found then
        delete from factor_removals where account_id = p_account;
        return 'not_found';
    end if;
    delete from factor_removals r where r.account_id = p_account and r.due_at <= now() returning * into removal;
    if not found then
        return 'nothing_to_change';
    end if;
    delete from factors where account_id = p_account;
    delete from passkeys where account_id = p_account;
    if not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from recovery_codes where account_id = p_account;
    update accounts set mfa = false, changed_at = now() where id = p_account;
    perform end_account_access(p_account, 'factors_removed');
    insert into audit_inbox (action, outcome, reason, account_id, actor_id, words, address, request_id)
    values ('factor_removed', 'done', 'operator', p_account, removal.asked_by, removal.words, p_address, p_request);
    perform notify_account(p_account, 'factor_removed', jsonb_build_object('kind', 'all'));
    return null;
exception when sqlstate 'LG001' then
    return 'last_credential';   -- the changes above are rolled back
end $$;
