-- Removes an address or number from an account. Every other session ends.
-- Locks: accounts (for update), *may_change_factors, account_emails, *forget_address_changes, account_phones, *elect_mains, flows,
-- *end_account_sessions.
-- Outcomes: removed, last_credential, not_found, *may_change_factors
-- Invariant: an open account has a usable sign-in method.
create or replace function remove_address(
    p_account uuid, p_kind text, p_key text, p_providers text[], p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
begin
    perform 1 from accounts where id = p_account for update;   -- waits for sign-ins in progress
    refused := may_change_factors(p_account, p_session, p_recent_seconds);
    if refused is not null then
        return refused;
    end if;
    perform notify_account(p_account, 'address_removed', jsonb_build_object('kind', p_kind), p_client);
    if p_kind = 'email' then
        delete from account_emails where account_id = p_account and address_key = p_key;
    else
        delete from account_phones where account_id = p_account and phone_key = p_key;
    end if;
    if not found then
        raise exception 'not found' using errcode = 'LG002';
    end if;
    if not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform elect_mains(p_account);
    delete from flows where account_id = p_account;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('address_removed', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform end_account_sessions(p_account, 'address_changed', p_session);
    return 'removed';
exception
    when sqlstate 'LG001' then return 'last_credential';
    when sqlstate 'LG002' then return 'not_found';
end $$;
