-- Unlinks an identity unless it is the last usable sign-in method; `p_providers` are the providers that work today.
-- Passkeys and proved addresses or numbers count too. Sessions that began with the identity end, except the requesting
-- one.
-- Locks: accounts (for update), *may_change_factors, *lock_sessions, sessions, *note_logout, identities, *queue_provider_revocations, *forget_address_changes, *leave_identity_sessions, flows.
-- Outcomes: not_found, unlinked, last_credential, *may_change_factors
-- Invariant: an ended session stays ended; an open account has a usable sign-in method.
create or replace function unlink_identity(p_account uuid, p_identity uuid, p_session uuid, p_recent_seconds integer, p_providers text[], p_client text, p_address text, p_request text)
returns text language plpgsql as $$
declare
    refused text;
    gone record;
begin
    perform 1 from accounts where id = p_account for update;
    refused := may_change_factors(p_account, p_session, p_recent_seconds);
    if refused is not null then
        return refused;
    end if;
    select * into gone from identities where id = p_identity and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    perform lock_sessions(array[p_account]);
    update sessions set ended_at = now(), end_reason = 'identity_unlinked'
     where account_id = p_account and identity_id = p_identity and ended_at is null and id <> p_session;
    delete from identities where id = p_identity;
    if not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into audit_inbox (action, outcome, account_id, identity_id, session_id, client_id, provider, address, request_id)
    values ('identity_unlinked', 'done', p_account, p_identity, p_session, p_client, gone.provider, p_address, p_request);
    perform notify_account(p_account, 'identity_unlinked', jsonb_build_object('provider', gone.provider), p_client);
    perform pg_notify('gateway_sessions', 'account:' || p_account);
    return 'unlinked';
exception when sqlstate 'LG001' then
    return 'last_credential';   -- the changes above are rolled back
end $$;
