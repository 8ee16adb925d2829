-- Charges one answer before the provider is called.
-- Locks: flows (for update), *take_from_throttles.
-- Outcomes: flow_expired, wait, too_many_tries, null
-- Invariant: a single-use value is used once.
create or replace function take_provider_flow(
    p_flow uuid, p_client text, p_limits flow_limits,
    out outcome text, out wait double precision, out revision integer, out state jsonb, out tries_left integer)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'provider' and f.client_id = p_client and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    wait := take_from_throttles(array[decode(flow.state->>'guess_bucket', 'hex')], array[p_limits.guess_burst], array[p_limits.guess_period]);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if flow.tries >= p_limits.most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    update flows f set tries = f.tries + 1 where f.id = p_flow;
    revision := flow.revision;
    state := flow.state;
    tries_left := p_limits.most_tries - flow.tries - 1;
end $$;
