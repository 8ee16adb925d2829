-- Sends another code for the current step.
-- Locks: flows (for update), *send_message.
-- Outcomes: flow_expired, too_many_resends, resend_wait, wait, sent
create or replace function resend_flow_code(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], p_address text, p_request text,
    out outcome text, out wait double precision)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f where f.id = p_flow and f.revision = p_revision and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    if flow.resends >= p_most_resends then
        outcome := 'too_many_resends';
        return;
    end if;
    wait := extract(epoch from flow.resend_after - now());
    if wait > 0 then
        outcome := 'resend_wait';
        return;
    end if;
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, flow.account_id);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    update flows f
       set code_digest = case when flow.account_id is not null then p_code_digest end, tries = 0, foreign_tries = 0, resends = f.resends + 1,
           resend_after = now() + make_interval(secs => p_resend_seconds)
     where f.id = p_flow;
    insert into audit_inbox (action, outcome, account_id, client_id, address, request_id, detail)
    values ('code_resent', 'done', flow.account_id, flow.client_id, p_address, p_request, jsonb_build_object('flow', p_flow));
    outcome := 'sent';
end $$;
