-- Puts a step into a flow without an answer to the step before.
-- Locks: flows (for update), *send_message.
-- Outcomes: flow_expired, wait, opened
create or replace function open_flow_step(
    p_flow uuid, p_revision integer, p_state jsonb, p_sealed bytea, p_code_digest bytea, p_resend_seconds integer, p_limits flow_limits,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
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
    wait := send_message(p_message, p_buckets, p_bursts, p_periods, flow.account_id);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    update flows f
       set state = p_state, sealed = p_sealed, revision = f.revision + 1, code_digest = p_code_digest, tries = 0, foreign_tries = 0, expires_at = flow_end(f.created_at, p_limits),
           resend_after = now() + make_interval(secs => p_resend_seconds)
     where f.id = p_flow;
    outcome := 'opened';
end $$;
