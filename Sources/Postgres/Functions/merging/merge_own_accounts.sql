-- Merges two accounts of one user as merge_accounts does, or previews it. `p_identity` or `p_other_session` proves the
-- merged account. A completed merge spends the ticket. The mailboxes of the merged account get a notice; its link disowns the
-- session that was the proof, and undoes the merge.
-- Locks: *lock_accounts, *may_change_factors, *spend, *merge_accounts.
-- Outcomes: flow_expired, *lock_accounts, *may_change_factors, *merge_accounts
-- Invariant: a single-use value is used once.
create or replace function merge_own_accounts(
    p_change uuid, p_kept uuid, p_session uuid, p_recent_seconds integer, p_absorbed uuid, p_identity uuid, p_other_session uuid, p_expected text, p_dry boolean,
    p_spent bytea[], p_spent_until bigint[], p_client text, p_address text, p_request text,
    out outcome text, out digest text, out report jsonb)
language plpgsql as $$
declare
    refusal text;
    proof text;
begin
    -- First and by id, so that two merges of the same accounts can't deadlock.
    refusal := case when is_spent(p_spent, p_spent_until) then 'flow_expired' else lock_accounts(p_kept, p_absorbed) end;
    outcome := coalesce(may_change_factors(p_kept, p_session, p_recent_seconds), refusal);
    if outcome is not null then
        return;
    end if;
    if p_other_session is not null then
        proof := 'session';
        refusal := may_change_factors(p_absorbed, p_other_session, p_recent_seconds);
    else
        proof := 'identity';
        refusal := case when mergeable_by_identity(p_kept, p_identity, false) is distinct from p_absorbed then 'proved no longer' end;
    end if;
    if refusal is not null then
        outcome := 'flow_expired';
        return;
    end if;
    if not p_dry then
        perform spend(p_spent, p_spent_until);
        perform notify_account(p_absorbed, 'account_absorbed', case when p_other_session is null then '{}'::jsonb else
            jsonb_build_object('account', p_absorbed, 'session', p_other_session, 'at', floor(extract(epoch from now()))::bigint) end, p_client);
    end if;
    select m.outcome, m.digest, m.report into outcome, digest, report
      from merge_accounts(p_change, p_kept, p_absorbed, p_expected, p_dry, null, p_address, p_request, true) m;
    if outcome = 'merged' then
        insert into audit_inbox (action, outcome, reason, account_id, identity_id, session_id, client_id, address, request_id, detail)
        values ('own_accounts_merged', 'done', proof, p_kept, p_identity, p_session, p_client, p_address, p_request,
                jsonb_build_object('change', p_change, 'absorbed', p_absorbed, 'other_session', p_other_session));
    elsif not p_dry then
        -- The rollback also restores the spent value.
        raise exception 'refused' using errcode = 'LG015', detail = outcome;
    end if;
exception when sqlstate 'LG015' then
    get stacked diagnostics outcome = pg_exception_detail;
end $$;
