-- Links an identity to an account with its proved address, or to the account of a session. If the address decides and a
-- further step is due, the identity waits in a link flow for `p_seconds` and is linked when the sign-in completes. A
-- mailbox alone must not add a sign-in method to an account with a second factor. A session without a proof adds one
-- only while its account is a guest.
-- Locks: *lock_identity, accounts (for share or for no key update), *spend, flows (new), *reach_session, *add_identity,
-- *store_provider_token.
-- Outcomes: facts_changed, session_ended, reauth_required, step_up_required, *reach_session
-- Invariant: one identity has one account; an ended session stays ended; a single-use value is used once.
create or replace function sign_in_linking(
    p_account uuid, p_identity uuid, p_facts identity_facts, p_address_key text, p_asking_session uuid, p_rule text, p_explain jsonb, p_waiting jsonb, p_seconds integer,
    p_spent bytea[], p_spent_until bigint[], p_token_client text, p_token_sealed bytea, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out email_proved boolean,
    out account_created timestamptz)
language plpgsql as $$
declare
    is_weak boolean := false;
    is_unproved boolean := false;
    waiting uuid;
begin
    perform lock_identity(p_facts.provider, p_facts.realm, p_facts.subject);
    if exists (select from identities i
                where i.provider = p_facts.provider and i.realm = p_facts.realm and i.subject = p_facts.subject)
    then
        outcome := 'facts_changed';
        return;
    end if;
    -- A separate statement, so that the next one sees an ended session or a lost proof.
    if p_asking_session is null then
        perform 1 from accounts where id = p_account for share;
        outcome := 'facts_changed';
        select a.display_name, a.created_at, e.address, true into display_name, account_created, email, email_proved
          from accounts a
          join account_emails e on e.account_id = a.id and e.address_key = p_address_key and e.proved_at is not null
         where a.id = p_account and a.status = 'active';
    else
        -- The strength that end_guest needs: two transactions that strengthen a lock deadlock.
        perform 1 from accounts where id = p_account for no key update;
        outcome := 'session_ended';
        select a.display_name, a.created_at, e.address, e.proved_at is not null, lacks_proof(a.id, s.acr, s.proofs),
               s.acr = '0' and not a.guest
          into display_name, account_created, email, email_proved, is_weak, is_unproved
          from accounts a
          join sessions s on s.account_id = a.id and s.id = p_asking_session and s.ended_at is null and s.expires_at > now()
          left join account_emails e on e.account_id = a.id and e.is_main
         where a.id = p_account and a.status = 'active';
    end if;
    if not found then
        return;
    end if;
    if is_unproved then
        outcome := 'reauth_required';
        return;
    end if;
    if is_weak then
        outcome := 'step_up_required';
        return;
    end if;
    p.presented_session := coalesce(p_asking_session, p.presented_session);
    perform spend(p_spent, p_spent_until);
    if p_asking_session is null and is_step_due(p, p_account, p_gate) then
        waiting := gen_random_uuid();
        insert into flows (id, kind, client_id, account_id, state, expires_at)
        values (waiting, 'link_account', p.client_id, p_account, p_waiting, now() + make_interval(secs => p_seconds));
        outcome := reach_session(p, p_account, p_identity, 'signed_in', p_rule, p_explain, waiting, p_gate);
        return;
    end if;
    perform add_identity(p_identity, p_account, p_facts, p_rule, p.id);
    if p_token_sealed is not null then
        perform store_provider_token(p_identity, p_token_client, p_token_sealed);
    end if;
    perform notify_account(p_account, 'identity_linked', jsonb_build_object('provider', p_facts.provider), p.client_id);
    outcome := reach_session(p, p_account, p_identity, 'identity_linked', p_rule, p_explain, null, p_gate);
end $$;
