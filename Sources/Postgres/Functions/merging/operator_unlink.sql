-- Unlinks an identity for an operator. The account must keep a sign-in method.
-- Locks: accounts (for update), *end_identity_sessions, identities, *queue_provider_revocations, *forget_address_changes,
-- *leave_identity_sessions, flows, account_changes (new).
-- Outcomes: not_found, unlinked, last_credential
-- Invariant: an open account has a usable sign-in method.
create or replace function operator_unlink(p_change uuid, p_account uuid, p_identity uuid, p_providers text[], p_actor uuid, p_address text, p_request text)
returns text language plpgsql as $$
declare
    before jsonb;
    gone identities;
begin
    perform from accounts where id = p_account for update;
    select * into gone from identities where id = p_identity and account_id = p_account;
    if not found then
        return 'not_found';
    end if;
    before := account_outline(p_account);
    perform end_identity_sessions(p_account, p_identity, 'identity_unlinked');
    delete from identities where id = p_identity;
    if not has_sign_in_method(p_account, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    delete from flows where account_id = p_account;
    insert into account_changes (id, kind, account_id, actor_id, state, after)
    values (p_change, 'unlink', p_account, p_actor, to_jsonb(gone), jsonb_build_object('account', account_outline(p_account)));
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, address, request_id, detail)
    values ('identity_unlinked', 'done', 'operator', p_account, p_identity, gone.provider, p_address, p_request,
            jsonb_build_object('change', p_change, 'before', before, 'after', account_outline(p_account)));
    perform notify_account(p_account, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
    return 'unlinked';
exception when sqlstate 'LG001' then
    return 'last_credential';
end $$;
