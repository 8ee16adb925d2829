-- Removes a passkey unless it is the last usable sign-in method; `p_providers` are the providers that work today.
-- Locks: passkeys, flows. The caller holds the account.
-- Outcomes: not_found, removed, last_credential
-- Invariant: an open account has a usable sign-in method.
create or replace function remove_passkey(
    p_account uuid, p_passkey uuid, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
begin
    delete from passkeys where id = p_passkey and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    if not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id, detail)
    values ('factor_removed', 'done', 'passkey', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('factor', p_passkey));
    perform notify_account(p_account, 'passkey_removed', '{}', p_client);
    return 'removed';
exception when sqlstate 'LG001' then
    return 'last_credential';   -- the changes above are rolled back
end $$;
