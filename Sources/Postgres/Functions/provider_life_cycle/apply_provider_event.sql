-- Applies one event of a provider notification. Returns applied, stale, unknown_subject or unknown_type.
-- Locks: accounts (for update), identity_events, *apply_email_event, *revoke_identity, identities, *queue_provider_revocations,
-- *forget_address_changes, *leave_identity_sessions, flows, *close_account_without_sign_in_method. The identity is read again under the
-- account's lock, because it may have moved.
-- Outcomes: unknown_type, unknown_subject, stale, applied
-- Invariant: an open account has a usable sign-in method.
create or replace function apply_provider_event(
    p_provider text, p_realm text, p_kind text, p_subject text, p_at timestamptz, p_email text, p_providers text[], p_address text, p_request text)
returns text language plpgsql as $$
declare
    who identities;
    ended integer;
begin
    if p_kind not in ('email_disabled', 'email_enabled', 'consent_revoked', 'account_deleted') then
        return 'unknown_type';
    end if;
    loop   -- until the identity's owner is locked
        select * into who from identities where provider = p_provider and realm = p_realm and subject = p_subject;
        if not found then
            return 'unknown_subject';
        end if;
        perform 1 from accounts where id = who.account_id for update;   -- waits for sign-ins in progress
        exit when exists (select from identities where id = who.id and account_id = who.account_id);
    end loop;
    if p_kind = 'consent_revoked'
       and p_at < greatest(who.linked_at, (select max(s.created_at) from sessions s
                                            where s.identity_id = who.id and s.account_id in (select former_holders(who.account_id)))) then
        return 'stale';
    end if;
    insert into identity_events as e (identity_id, kind, event_at)
    values (who.id, case when p_kind like 'email%' then 'email' else p_kind end, p_at)
    on conflict (identity_id, kind) do update set event_at = excluded.event_at where e.event_at <= excluded.event_at;
    if not found then
        return 'stale';
    end if;
    if p_kind like 'email%' then
        perform apply_email_event(who, p_kind = 'email_enabled', p_email, p_at);
    else
        ended := revoke_identity(who.account_id, who.id, 'provider_' || p_kind, p_at);
    end if;
    insert into audit_inbox (action, outcome, account_id, identity_id, provider, address, request_id, detail)
    values ('provider_' || p_kind, 'done', who.account_id, who.id, p_provider, p_address, p_request,
            jsonb_strip_nulls(jsonb_build_object('event_at', p_at, 'sessions', ended)));
    if p_kind = 'consent_revoked' then
        perform notify_account_directly(who.account_id, 'provider_consent_revoked', jsonb_build_object('provider', p_provider));
    elsif p_kind = 'account_deleted' then
        if who.email_is_relay then
            perform apply_email_event(who, false, null, p_at);
        end if;
        delete from identities where id = who.id;
        delete from flows where account_id = who.account_id;
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, address, request_id)
        values ('identity_unlinked', 'done', 'provider_account_deleted', who.account_id, who.id, p_provider, p_address, p_request);
        perform notify_account_directly(who.account_id, 'provider_account_deleted', jsonb_build_object('provider', p_provider));
        perform close_account_without_sign_in_method(who.account_id, p_providers, 'provider_account_deleted', p_request);
    end if;
    return 'applied';
end $$;
