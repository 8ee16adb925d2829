-- Stores the result of a token check: good; dead, a withdrawn consent; doubtful, checked again the next day; or
-- unknown, checked again after `p_retry_seconds`. A token that was replaced meanwhile is ignored.
-- Locks: accounts (for update), provider_tokens (for update), *revoke_identity. The identity is read again under the account's
-- lock, because it may have moved.
create or replace function settle_token_check(
    p_identity uuid, p_client text, p_kind text, p_stored_at timestamptz, p_state text, p_retry_seconds double precision)
returns void language plpgsql as $$
declare
    who identities;
    ended integer;
begin
    loop   -- until the identity's owner is locked
        select * into who from identities where id = p_identity;
        if not found then
            return;
        end if;
        perform 1 from accounts where id = who.account_id for update;
        exit when exists (select from identities where id = who.id and account_id = who.account_id);
    end loop;
    perform 1 from provider_tokens
      where identity_id = p_identity and client_id = p_client and kind = p_kind and stored_at = p_stored_at for update;
    if not found then
        return;
    end if;
    if p_state = 'unknown' then
        update provider_tokens set check_due_at = now() + make_interval(secs => p_retry_seconds)
         where identity_id = p_identity and client_id = p_client and kind = p_kind;
        return;
    end if;
    update provider_tokens set checked_at = now() where identity_id = p_identity and client_id = p_client and kind = p_kind;
    if p_state = 'dead' then
        ended := revoke_identity(who.account_id, who.id, 'provider_token_dead', now());
        perform notify_account_directly(who.account_id, 'provider_consent_revoked', jsonb_build_object('provider', who.provider));
        insert into audit_inbox (action, outcome, account_id, identity_id, provider, detail)
        values ('provider_token_dead', 'done', who.account_id, who.id, who.provider, jsonb_build_object('sessions', ended));
    elsif p_state = 'doubtful' then
        insert into audit_inbox (action, outcome, account_id, identity_id, provider)
        values ('provider_token_doubtful', 'done', who.account_id, who.id, who.provider);
    end if;
end $$;
