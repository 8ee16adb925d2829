-- Removes a method (methods_since) that the account holder disowned with the session `p_session`, and notifies the account.
-- Returns false where it is gone, or where no usable sign-in method would be left; `p_providers` are the providers that work
-- today.
-- Locks: identities, *queue_provider_revocations, *forget_address_changes, *leave_identity_sessions, account_emails,
-- account_phones, passkeys, passwords, recovery_codes, factors, *elect_mains, accounts. The caller holds the account for update.
-- Invariant: an open account has a usable sign-in method.
create or replace function drop_method(
    p_account uuid, p_kind text, p_id text, p_providers text[], p_session uuid, p_client text, p_address text, p_request text)
returns boolean language plpgsql as $$
declare
    had_method constant boolean := has_sign_in_method(p_account, p_providers);
    told constant text := case when p_kind = 'identity' then 'identity_unlinked' when p_kind in ('email', 'phone') then 'address_removed'
                               else 'factor_removed' end;
    notice constant text := case p_kind when 'passkey' then 'passkey_removed' else told end;
begin
    case p_kind
        when 'identity' then delete from identities where account_id = p_account and id = p_id::uuid;
        when 'email' then delete from account_emails where account_id = p_account and address_key = p_id;
        when 'phone' then delete from account_phones where account_id = p_account and phone_key = p_id;
        when 'passkey' then delete from passkeys where account_id = p_account and id = p_id::uuid;
        when 'password' then delete from passwords where account_id = p_account;
        when 'recovery_codes' then delete from recovery_codes where account_id = p_account;
        else delete from factors where account_id = p_account and id = p_id::uuid;
    end case;
    if not found then
        return false;
    end if;
    if had_method and not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform elect_mains(p_account);
    update accounts a
       set mfa = a.mfa and exists (select from factors f where f.account_id = a.id), changed_at = now(),
           password_state = case when exists (select from passwords w where w.account_id = a.id) then a.password_state else 'usable' end
     where a.id = p_account;
    delete from recovery_codes where account_id = p_account and not exists (select from accounts a where a.id = p_account and a.mfa);
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, session_id, client_id, address, request_id, detail)
    values (told, 'done', replace(p_kind, '_otp', ''), p_account, case when p_kind = 'identity' then p_id::uuid end, p_session, p_client,
            p_address, p_request,
            jsonb_build_object('disowned', true, 'factor', case when told = 'factor_removed' then nullif(p_id, '') end));
    -- One notice of a kind for all removals of a transaction.
    if not exists (select from outbox o where o.account_id = p_account and o.kind = 'notice.' || notice and o.created_at = now()) then
        perform notify_account(p_account, notice, '{}', p_client);
    end if;
    return true;
exception when sqlstate 'LG001' then
    return false;   -- the changes above are rolled back
end $$;
