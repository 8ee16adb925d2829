-- Makes a proved address or number the main one of its account. Every other session ends.
-- Locks: accounts (for update), *may_change_factors, account_emails, *forget_address_changes, account_phones, *end_account_sessions.
-- Outcomes: not_found, changed, *may_change_factors
create or replace function prefer_address(p_account uuid, p_kind text, p_key text, p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
begin
    perform 1 from accounts where id = p_account for update;   -- waits for sign-ins in progress
    refused := may_change_factors(p_account, p_session, p_recent_seconds);
    if refused is not null then
        return refused;
    end if;
    if p_kind = 'email' then
        if not exists (select from account_emails where account_id = p_account and address_key = p_key and proved_at is not null) then
            return 'not_found';
        end if;
        update account_emails set is_main = false where account_id = p_account and is_main and address_key <> p_key;
        update account_emails set is_main = true, main_since = now() where account_id = p_account and address_key = p_key;
    else
        if not exists (select from account_phones where account_id = p_account and phone_key = p_key and proved_at is not null) then
            return 'not_found';
        end if;
        update account_phones set is_main = false where account_id = p_account and is_main and phone_key <> p_key;
        update account_phones set is_main = true, main_since = now() where account_id = p_account and phone_key = p_key;
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, session_id, client_id, address, request_id)
    values ('main_address_changed', 'done', p_kind, p_account, p_session, p_client, p_address, p_request);
    perform notify_account(p_account, 'address_added', jsonb_build_object('kind', p_kind), p_client);
    perform end_account_sessions(p_account, 'address_changed', p_session);
    return 'changed';
end $$;
