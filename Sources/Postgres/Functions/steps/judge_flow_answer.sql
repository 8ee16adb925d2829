-- Charges one answer to a flow and compares its code, unless it was already judged (`p_right`). If the answer stands,
-- the caller returns `bucket`. An answer beyond the budget also uses up a try of its flow: StepContext refuses users
-- earlier, so such answers are concurrent guesses, and their timing could reveal a right code.
-- Locks: flows (for update), *take_from_throttles, *lose_try, *fail_flow_answer.
-- Outcomes: flow_expired, wait, too_many_tries, null, *fail_flow_answer
-- Invariant: a single-use value is used once.
create or replace function judge_flow_answer(
    p_flow uuid, p_kind text, p_client text, p_revision integer, p_right boolean, p_code_digest bytea, p_limits flow_limits,
    out outcome text, out tries_left integer, out wait double precision, out account_id uuid, out state jsonb, out bucket bytea[])
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = p_kind and f.client_id = p_client and f.expires_at > now() for update;
    if not found or flow.revision <> p_revision then
        outcome := 'flow_expired';
        return;
    end if;
    account_id := flow.account_id;
    state := flow.state;
    bucket := array[flow_guess_bucket(account_id, flow.state)];
    wait := take_from_throttles(bucket, array[p_limits.guess_burst], array[p_limits.guess_period]);
    if wait > 0 then
        outcome := 'wait';
        perform lose_try(p_flow, p_revision);
        return;
    end if;
    if flow.tries >= p_limits.most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    if not coalesce(p_right, flow.code_digest is not null and flow.code_digest = p_code_digest) or account_id is null then
        select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_limits.most_tries) f;
    end if;
end $$;
