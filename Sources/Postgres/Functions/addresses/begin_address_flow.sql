-- Starts the flow that adds an address or number.
-- Locks: *may_change_account, *send_message, flows.
-- Outcomes: wait, opened, *may_change_account
create or replace function begin_address_flow(
    p_flow uuid, p_account uuid, p_session uuid, p_recent_seconds integer, p_client text, p_state jsonb, p_sealed bytea, p_code_digest bytea, p_resend_seconds integer, p_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], p_address text, p_request text,
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
    delete from flows where kind = 'address' and account_id = p_account;
    insert into flows (id, kind, client_id, account_id, session_id, state, sealed, code_digest, resend_after, expires_at)
    values (p_flow, 'address', p_client, p_account, p_session, p_state, p_sealed, p_code_digest, now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    insert into audit_inbox (action, outcome, account_id, session_id, client_id, address, request_id, detail)
    values ('address_change_started', 'done', p_account, p_session, p_client, p_address, p_request, jsonb_build_object('flow', p_flow));
    outcome := 'opened';
end $$;
