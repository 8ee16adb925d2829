-- Removes a factor; `p_providers` are the providers that work today. With the last second factor, recovery codes and
-- remembered devices are removed too.
-- Locks: *may_change_factors, *remove_passkey, accounts, recovery_codes, remembered_devices, factors, flows.
-- Outcomes: second_factor_demanded, removed, *may_change_factors, *remove_passkey
create or replace function remove_factor(
    p_account uuid, p_factor uuid, p_providers text[], p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text := may_change_factors(p_account, p_session, p_recent_seconds);
    removed text;
begin
    if refused is not null then
        return refused;
    end if;
    select kind into removed from factors where id = p_factor and account_id = p_account;
    if not found then
        return remove_passkey(p_account, p_factor, p_providers, p_session, p_client, p_address, p_request);
    end if;
    if not exists (select from factors where account_id = p_account and id <> p_factor) then
        if exists (select from accounts where id = p_account and mfa_demanded) then
            return 'second_factor_demanded';
        end if;
        update accounts set mfa = false, changed_at = now() where id = p_account;
        delete from recovery_codes where account_id = p_account;
        delete from remembered_devices where account_id = p_account;
    end if;
    delete from factors where id = p_factor;
    delete from flows where account_id = p_account;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_removed', 'done', removed, p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_factor));
    perform notify_account(p_account, 'factor_removed', '{}', p_client);
    return 'removed';
end $$;
