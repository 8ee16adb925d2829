-- Creates the account of a sign-up after its code was confirmed, and signs in. With `p_asks` the sign-up only becomes
-- proved, for `complete_sign_up`. If the name got an account meanwhile, the answer is the one for a wrong code, to reveal
-- nothing.
--
-- `p_by_name`: a name and a code led to the sign-up. The reader of the code may not be its author then, if there was
-- another sign-up: the account gets no password, and no session.
-- Locks: *lock_claimants, flows (for update), *take_flow_guess, *fail_flow_answer, *make_contested_account, *make_signed_up_account.
-- Outcomes: flow_expired, wait, too_many_tries, proved, *fail_flow_answer, *make_contested_account, *make_signed_up_account
-- Invariant: a single-use value is used once.
create or replace function confirm_sign_up_code(
    p_flow uuid, p_code_digest bytea, p_limits flow_limits, p_account uuid, p_asks boolean, p_by_name boolean, p session_request, p_gate jsonb,
    out outcome text, out tries_left integer, out wait double precision, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
declare
    flow flows;
    guess record;
    own boolean;
    taken boolean;
begin
    perform lock_claimants(array[f.address_key]) from flows f where f.id = p_flow and f.kind = 'sign_up';
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.client_id = (p).client_id and f.expires_at > now()
       and not f.proved for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    own := is_own_answer(flow, null, (p).address);
    select g.* into guess from take_flow_guess(flow, p_limits, null, (p).address) g;
    wait := guess.wait;
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if (case when own then flow.tries else flow.foreign_tries end) >= p_limits.most_tries then
        -- Charged to the network like a wrong one, as is a guess at a name without a sign-up.
        outcome := 'too_many_tries';
        tries_left := 0;
        return;
    end if;
    taken := account_by_name('email', flow.address_key) is not null or account_by_name('phone', flow.address_key) is not null;
    if flow.code_digest is distinct from p_code_digest or taken then
        select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_limits.most_tries, own) f;
        return;
    end if;
    if p_by_name and flow.state ? 'password' and is_contested_sign_up(p_flow) then
        outcome := make_contested_account(p_account, flow.state, flow.address_key, (p).client_id, (p).request_id);
        return;
    end if;
    if p_asks then
        update flows f set proved = true, code_digest = null where f.id = p_flow;
        outcome := 'proved';
        return;
    end if;
    select m.outcome, m.display_name, m.email, m.account_created into outcome, display_name, email, account_created
      from make_signed_up_account(p_account, flow.state, flow.address_key, p, p_gate) m;
end $$;
