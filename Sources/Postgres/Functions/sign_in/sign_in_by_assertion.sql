-- Begins the session of an app from a provider's assertion about a known user (ID-JAG). No user is there: it makes no account,
-- answers no step, and renews no consent that the user withdrew at the provider. A refusal changes nothing, and so spends nothing.
-- Locks: accounts (for key share), *spend, *make_session.
-- Outcomes: unknown_identity, account_disabled, step_due, *make_session
-- Invariant: an ended session stays ended; a single-use value is used once.
create or replace function sign_in_by_assertion(
    p_provider text, p_realm text, p_subject text, p_spent bytea[], p_spent_until bigint[], p session_request, p_gate jsonb,
    p_detail jsonb,
    out outcome text, out account_id uuid, out display_name text, out email text, out email_proved boolean,
    out account_created timestamptz)
language plpgsql as $$
declare
    identity uuid;
    account_status text;
    wants_factor boolean;
    password_is text;
    was_spent boolean;
begin
    select i.account_id, i.id, a.status, a.display_name, a.created_at, e.address, e.proved_at is not null, a.mfa or a.mfa_demanded,
           a.password_state
      into account_id, identity, account_status, display_name, account_created, email, email_proved, wants_factor, password_is
      from identities i
      join accounts a on a.id = i.account_id
      left join account_emails e on e.account_id = a.id and e.is_main
     where i.provider = p_provider and i.realm = p_realm and i.subject = p_subject and i.revoked_at is null
       for key share of a;   -- conflicts with the lock of disabling, so no session outlives it
    -- Read again under the lock, because the identity may have moved.
    if not found or not exists (select from identities i where i.id = identity and i.account_id = sign_in_by_assertion.account_id)
    then
        outcome := 'unknown_identity';
        return;
    end if;
    if account_status <> 'active' then
        outcome := 'account_disabled';
        return;
    end if;
    if is_more_due(p.acr, p.provider, p_gate, wants_factor, password_is) then
        outcome := 'step_due';
        return;
    end if;
    was_spent := spend(p_spent, p_spent_until);
    outcome := make_session(p, account_id, identity, 'app_signed_in', 'identity_assertion', p_detail, p_gate->'proofs');
end $$;
