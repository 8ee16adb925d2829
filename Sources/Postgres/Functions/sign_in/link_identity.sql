-- Links an identity to the account of a live session with a recent proof and, if the account has one, the second
-- factor. A guest goes on with the session `p`.
-- Locks: *lock_identity, *may_change_account, *spend, *add_identity, *store_provider_token, *renew_guest_session.
-- Outcomes: already_linked, identity_in_use, linked, *may_change_account
-- Invariant: one identity has one account; a single-use value is used once.
create or replace function link_identity(
    p_account uuid, p_session uuid, p_recent_seconds integer, p_identity uuid, p_facts identity_facts, p_explain jsonb,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p_client text, p_address text, p_request text,
    p session_request, p_gate jsonb, out outcome text, out identity_id uuid, out linked_at timestamptz, out renewed boolean)
language plpgsql as $$
declare
    owner uuid;
    was_guest boolean;
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    outcome := may_change_account(p_account, p_session, p_recent_seconds);
    if outcome is not null then
        return;
    end if;
    perform spend(p_spent, p_spent_until);
    select a.guest into was_guest from accounts a where a.id = p_account;
    identity_id := p_identity;
    linked_at := add_identity(p_identity, p_account, p_facts, 'linked_in_session', p_session);
    if linked_at is null then
        select i.account_id, i.id, i.linked_at into owner, identity_id, linked_at from identities i
         where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject;
        outcome := case when owner = p_account then 'already_linked' else 'identity_in_use' end;
        return;
    end if;
    if p_token_sealed is not null then
        perform store_provider_token(identity_id, p_token_client, p_token_sealed);
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, session_id, client_id, provider, address, request_id, detail)
    values ('identity_linked', 'done', 'linked_in_session', p_account, identity_id, p_session, p_client, p_facts.provider,
            p_address, p_request, p_explain);
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_facts.provider), p_client);
    renewed := renew_guest_session(p_account, was_guest, p_session, identity_id, p, p_gate);
    outcome := 'linked';
end $$;
