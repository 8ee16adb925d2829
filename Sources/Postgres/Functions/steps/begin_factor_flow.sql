-- Starts the flow in which a signed-in user adds a factor.
-- Locks: *may_change_account, *send_message, flows (new).
-- Outcomes: wait, opened, *may_change_account
create or replace function begin_factor_flow(
    p_flow uuid, p_account uuid, p_session uuid, p_recent_seconds integer, p_client text, p_state jsonb, p_sealed bytea, p_code_digest bytea, p_resend_seconds integer, p_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    outcome := may_change_account(p_account, p_session, p_recent_seconds);
    if outcome is not null then
        return;
    end if;
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, p_account);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    insert into flows (id, kind, client_id, account_id, session_id, state, sealed, code_digest, resend_after, expires_at)
    values (p_flow, 'factor', p_client, p_account, p_session, p_state, p_sealed, p_code_digest, now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    outcome := 'opened';
end $$;
