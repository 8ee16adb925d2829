-- Answers the flow that adds a factor. A passkey also signs in; other factors need a proved session. The proof of the
-- factor raises the session to the level `p_acr`.
-- Locks: *may_change_factors, *may_change_account, *judge_flow_answer, *apply_flow_effect, *give_back_to_throttles, flows, sessions.
-- Outcomes: flow_expired, added, *may_change_factors, *may_change_account, *judge_flow_answer, *apply_flow_effect
-- Invariant: a single-use value is used once.
create or replace function answer_factor_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_limits flow_limits, p_effects jsonb,
    p_account uuid, p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text,
    p_proofs jsonb, p_amr text[], p_acr text,
    out outcome text, out tries_left integer, out wait double precision)
language plpgsql as $$
declare
    flow record;
    effect jsonb;
begin
    if p_effects @> '[{"kind": "add_factor"}]' then
        outcome := may_change_factors(p_account, p_session, p_recent_seconds);
    else
        outcome := may_change_account(p_account, p_session, p_recent_seconds);
    end if;
    if outcome is not null then
        return;
    end if;
    select j.* into flow from judge_flow_answer(p_flow, 'factor', p_client, p_revision, p_right, p_code_digest, p_limits, null, p_address) j;
    outcome := case when flow.outcome is null and flow.account_id <> p_account then 'flow_expired' else flow.outcome end;
    tries_left := flow.tries_left;
    wait := flow.wait;
    if outcome is not null then
        return;
    end if;
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(p_account, effect, p_flow, p_session, p_client, p_address, p_request);
        if outcome is not null then
            return;
        end if;
    end loop;
    perform give_back_to_throttles(flow.buckets, flow.periods);
    delete from flows where id = p_flow;
    update sessions set proofs = p_proofs, amr = p_amr, acr = p_acr where id = p_session and acr < p_acr;
    if found then
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
    outcome := 'added';
end $$;
