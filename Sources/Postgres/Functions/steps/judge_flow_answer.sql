-- Charges one answer to a flow and compares its code, unless it was already judged (`p_right`). If the answer stands,
-- the caller returns `buckets`. An answer beyond the budget also uses up a try of its flow: FlowContext refuses users
-- earlier, so such answers are concurrent guesses, and their timing could reveal a right code.
-- Locks: flows (for update), *take_flow_guess, *lose_try, *fail_flow_answer.
-- Outcomes: flow_expired, wait, too_many_tries, null, *fail_flow_answer
-- Invariant: a single-use value is used once.
create or replace function judge_flow_answer(
    p_flow uuid, p_kind text, p_client text, p_revision integer, p_right boolean, p_code_digest bytea, p_limits flow_limits,
    p_mark bytea, p_address text,
    out outcome text, out tries_left integer, out wait double precision, out account_id uuid, out own boolean,
    out buckets bytea[], out periods bigint[])
language plpgsql as $$
declare
    flow flows;
    guess record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = p_kind and f.client_id = p_client and f.expires_at > now() for update;
    if not found or flow.revision <> p_revision then
        outcome := 'flow_expired';
        return;
    end if;
    account_id := flow.account_id;
    own := is_own_answer(flow, p_mark, p_address);
    select g.* into guess from take_flow_guess(flow, p_limits, p_mark, p_address) g;
    wait := guess.wait;
    buckets := guess.buckets;
    periods := guess.periods;
    if wait > 0 then
        outcome := 'wait';
        perform lose_try(p_flow, p_revision, p_mark, p_address);
        return;
    end if;
    if (case when own then flow.tries else flow.foreign_tries end) >= p_limits.most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    if not coalesce(p_right, flow.code_digest is not null and flow.code_digest = p_code_digest) or account_id is null
       or guess.spent
    then
        select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_limits.most_tries, own) f;
    end if;
end $$;
