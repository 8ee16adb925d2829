-- Starts a sign-in by a mailed or texted code. An unknown name costs the same and gets no message here (tell_once). A
-- user name without a mailbox shows an invented address, and its flow has no account. The same applies to a name that
-- lost its mailbox in between.
-- Locks: *send_message, flows (new).
-- Outcomes: wait, opened
create or replace function begin_code_flow(
    p_flow uuid, p_client text, p_name_kind text, p_key text, p_link_flow uuid, p_state jsonb, p_sealed bytea, p_code_digest bytea, p_resend_seconds integer, p_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_action text, p_address text, p_request text,
    out outcome text, out wait double precision, out known boolean)
language plpgsql as $$
declare
    found_account uuid;
begin
    select a.id into found_account from accounts a
     where a.id = account_to_sign_in(p_name_kind, p_key) and a.status = 'active'
       and (p_message.id is null or receives(a.id, p_message.medium, p_message.address));
    known := found_account is not null;
    wait := send_message(case when known then p_message end, p_buckets, p_bursts, p_periods, found_account);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    insert into flows (id, kind, client_id, account_id, link_flow, state, sealed, code_digest, resend_after, expires_at)
    values (p_flow, 'sign_in', p_client, found_account, p_link_flow, p_state, p_sealed, case when known then p_code_digest end,
            now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    insert into audit_inbox (action, outcome, reason, account_id, client_id, address, request_id, detail)
    values (p_action, 'done', case when not known then 'no_account' end, found_account, p_client, p_address, p_request,
            jsonb_build_object('flow', p_flow));
    outcome := 'opened';
end $$;
