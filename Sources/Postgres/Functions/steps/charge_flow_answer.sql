-- Charges one answer before another service judges it. An answer to an earlier step is charged, too: polls of one step
-- run concurrently, and each moves the flow on. `p_resend_seconds`: the wait after a resend; null: no resend.
-- Locks: flows (for update), *take_from_throttles.
-- Outcomes: flow_expired, resend_wait, wait, too_many_tries, null
create or replace function charge_flow_answer(
    p_flow uuid, p_revision integer, p_limits flow_limits, p_resend_seconds integer,
    out outcome text, out wait double precision, out tries_left integer)
language plpgsql as $$
declare
    flow flows;
begin
    select f.* into flow from flows f where f.id = p_flow and f.revision >= p_revision and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    wait := extract(epoch from flow.resend_after - now());
    if p_resend_seconds is not null and wait > 0 then
        outcome := 'resend_wait';
        return;
    end if;
    wait := take_from_throttles(array[flow_guess_bucket(flow)], array[p_limits.guess_burst], array[p_limits.guess_period]);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if flow.tries >= p_limits.most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    update flows f
       set tries = f.tries + 1, resend_after = coalesce(now() + make_interval(secs => p_resend_seconds), f.resend_after)
     where f.id = p_flow;
    tries_left := p_limits.most_tries - flow.tries - 1;
end $$;
