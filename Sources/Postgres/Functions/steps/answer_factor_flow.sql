-- Answers the flow that adds a factor. A passkey also signs in; other factors need a proved session. The proof of the
-- factor raises the session to the level `p_acr`. A guest goes on with the session `p`.
-- Locks: *may_change_factors, *may_change_account, *judge_flow_answer, *apply_flow_effect, *give_back_to_throttles, flows, sessions, *renew_guest_session.
-- Outcomes: flow_expired, added, *may_change_factors, *may_change_account, *judge_flow_answer, *apply_flow_effect
-- Invariant: a single-use value is used once.
create or replace function answer_factor_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_limits flow_limits, p_effects jsonb,
    p_account uuid, p_session uuid, p_recent_seconds integer, p_client text, p_address text, p_request text,
    p_proofs jsonb, p_amr text[], p_acr text, p session_request, p_gate jsonb,
    out outcome text, out tries_left integer, out wait double precision, out renewed boolean)
language plpgsql as $$
declare
    flow record;
    effect jsonb;
    was_guest boolean;
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
    select a.guest into was_guest from accounts a where a.id = p_account;
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(p_account, effect, p_flow, p_session, p_client, p_address, p_request);
        if outcome is not null then
            return;
        end if;
    end loop;
    perform give_back_to_throttles(flow.buckets, flow.periods);
    delete from flows where id = p_flow;
    update sessions set proofs = p_proofs, amr = p_amr, acr = p_acr where id = p_session and acr < p_acr and ended_at is null;
    if found then
        perform pg_notify('gateway_sessions', 'session:' || p_session);
    end if;
    renewed := renew_guest_session(p_account, was_guest, p_session, null, p, p_gate);
    outcome := 'added';
end $$;
