-- Signs in after a right password, unless the password has changed since it was read. `p_new`: the verifiers to store for
-- the same password; null: none is missing or outdated.
-- Locks: *lock_link_flow, accounts (for no key update or for share), *renew_verifiers, *give_back_after_right_answer, *reach_session.
-- A concurrent password change waits for this sign-in and then ends its session, or this sign-in waits and finds the password
-- changed. The account is locked more strongly where a link flow will change it.
-- Outcomes: changed, *reach_session
-- Invariant: an ended session stays ended.
create or replace function finish_password_sign_in(
    p_account uuid, p_hash text, p_new password_verifiers, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_link_flow uuid, p session_request, p_gate jsonb,
    out outcome text, out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
begin
    -- A separate statement, so that the next one sees commits from the time of the wait.
    if p_link_flow is not null then
        perform lock_link_flow(p_link_flow);
        perform 1 from accounts where id = p_account for no key update;
    else
        perform 1 from accounts where id = p_account for share;
    end if;
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a
      join passwords w on w.account_id = a.id and w.hash = p_hash
      left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = p_account and a.status = 'active' and a.password_state <> 'reset_required';
    if not found then
        outcome := 'changed';
        return;
    end if;
    if (p_new).hash is not null then
        perform renew_verifiers(p_account, p_hash, p_new);
    end if;
    perform give_back_after_right_answer(p_buckets, p_bursts, p_periods);
    outcome := reach_session(p, p_account, null, 'signed_in', 'password', null, p_link_flow, p_gate);
end $$;
