-- Removes an identity that an operator linked. The caller holds the account.
-- Errors: LG011 (the accounts changed), LG001 (the last sign-in method).
-- Locks: *end_identity_sessions, identities, *queue_provider_revocations, *forget_address_changes, *leave_identity_sessions.
-- The caller holds the account.
-- Invariant: an open account has a usable sign-in method.
create or replace function undo_link(p_change account_changes, p_providers text[]) returns void language plpgsql as $$
declare
    gone record;
begin
    perform end_identity_sessions(p_change.account_id, (p_change.state->>'identity')::uuid, 'identity_unlinked');
    delete from identities where id = (p_change.state->>'identity')::uuid and account_id = p_change.account_id returning provider into gone;
    if not found then
        raise exception 'accounts changed' using errcode = 'LG011';
    end if;
    if not has_sign_in_method(p_change.account_id, p_providers) then
        raise exception 'last credential' using errcode = 'LG001';
    end if;
    perform notify_account(p_change.account_id, 'identity_unlinked', jsonb_build_object('provider', gone.provider));
end $$;
