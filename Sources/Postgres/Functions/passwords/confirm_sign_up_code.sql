-- Creates the account of a sign-up after its code was confirmed, and signs in. If the name got an account meanwhile,
-- the answer is the one for a wrong code, to reveal nothing.
-- Locks: *lock_claimants, flows (for update), *take_from_throttles, *add_signed_up_account, *reach_session.
-- Outcomes: flow_expired, wait, too_many_tries, code_wrong, *add_signed_up_account, *reach_session
-- Invariant: a single-use value is used once.
create or replace function confirm_sign_up_code(
    p_flow uuid, p_code_digest bytea, p_limits flow_limits, p_account uuid, p session_request, p_gate jsonb,
    out outcome text, out tries_left integer, out wait double precision, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
declare
    flow record;
    taken boolean;
begin
    perform lock_claimants(array[f.address_key]) from flows f where f.id = p_flow and f.kind = 'sign_up';
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.client_id = (p).client_id and f.expires_at > now() for update;
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
    taken := account_by_name('email', flow.address_key) is not null or account_by_name('phone', flow.address_key) is not null;
    if flow.code_digest is distinct from p_code_digest or taken then
        update flows f set tries = f.tries + 1 where f.id = p_flow;
        tries_left := p_limits.most_tries - flow.tries - 1;
        outcome := case when tries_left > 0 then 'code_wrong' else 'too_many_tries' end;
        return;
    end if;
    account_created := now();
    display_name := flow.state->>'display_name';
    email := coalesce(flow.state->>'email', flow.state->>'address');
    outcome := add_signed_up_account(p_account, flow.state, flow.address_key, (p).client_id, (p).request_id);
    if outcome is not null then
        return;
    end if;
    outcome := reach_session(p, p_account, null, 'account_created', 'sign_up', null, null, p_gate);
end $$;
