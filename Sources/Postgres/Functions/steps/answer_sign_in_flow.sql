-- Judges the answer to a step, applies it, and shows the next step or creates the session. Wrong answers are counted for
-- the caller's network (`p_askers`); that check is only a read, so concurrent answers may exceed the limit by the number of
-- connections.
-- Locks: *lose_try, *lock_link_flow, accounts (for update or for no key update or for share or for key share), *judge_flow_answer, *charge_wrong_answer, sessions (for update), flows, *take_from_throttles, *apply_flow_effect, *fail_flow_answer, *give_back_to_throttles, *apply_link_flow, *make_session, *end_session. The account's lock is as strong as the answer needs
-- from the start: two that share it and then change it would wait for each other. It keeps out changes of passwords and factors.
-- Outcomes: flow_expired, deletion_waits, session_ended, wait, next_step, signed_in, *judge_flow_answer, *apply_flow_effect, *fail_flow_answer, *apply_link_flow
-- Invariant: an ended session stays ended; a single-use value is used once.
create or replace function answer_sign_in_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_limits flow_limits, p_effects jsonb,
    p_state jsonb, p_sealed bytea, p_next_code bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_proofs jsonb, p_makes_session boolean, p session_request, p_mark bytea,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[],
    out outcome text, out tries_left integer, out wait double precision,
    out display_name text, out email text, out email_proved boolean, out account_created timestamptz,
    out session_ends timestamptz)
language plpgsql as $$
declare
    origin flows;
    flow record;
    effect jsonb;
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        perform lose_try(p_flow, p_revision, p_mark, p.address);
        return;
    end if;
    -- No answer changes where a flow comes from. Its proofs change with the revision, which judge_flow_answer compares.
    select f.* into origin from flows f where f.id = p_flow;
    perform lock_link_flow(origin.link_flow);
    if exists (select from jsonb_array_elements(p_effects) e where e->>'kind' = 'password') then
        perform 1 from accounts where id = origin.account_id for update;
    elsif exists (select from jsonb_array_elements(p_effects) e where e->>'kind' in ('add_factor', 'add_passkey'))
       or origin.link_flow is not null
    then
        perform 1 from accounts where id = origin.account_id for no key update;
    else
        perform 1 from accounts where id = origin.account_id for share;
    end if;
    select j.* into flow from judge_flow_answer(p_flow, 'sign_in', p.client_id, p_revision, p_right, p_code_digest, p_limits, p_mark, p.address) j;
    outcome := flow.outcome;
    tries_left := flow.tries_left;
    wait := flow.wait;
    if outcome is not null then
        perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
        return;
    end if;
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = flow.account_id and a.status = 'active' for key share of a;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    -- Before the effects: make_session would refuse.
    if p_makes_session and p.dialect is not null and deletion_waits(flow.account_id, null) then
        outcome := 'deletion_waits';
        return;
    end if;
    if is_answer_outdated(origin, p_effects, p_makes_session, p.acr) then
        outcome := 'flow_expired';
        return;
    end if;
    if origin.session_id is not null then
        -- Locked until the end, because this statement ends the session.
        select s.expires_at into session_ends from sessions s
          where s.id = origin.session_id and s.account_id = flow.account_id and s.ended_at is null
            and s.expires_at > now() for update;
        if not found then
            delete from flows f where f.id = p_flow;
            outcome := 'session_ended';
            return;
        end if;
    end if;
    if p_buckets <> '{}' then
        wait := take_from_throttles(p_buckets, p_bursts, p_periods);
        if wait > 0 then
            outcome := 'wait';
            return;
        end if;
    end if;
    for effect in select jsonb_array_elements(p_effects) loop
        outcome := apply_flow_effect(flow.account_id, effect, p_flow, case when p_makes_session then p.id end, p.client_id, p.address, p.request_id);
        if outcome = 'code_wrong' then
            select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_limits.most_tries, flow.own) f;
            perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
        end if;
        if outcome is not null then
            return;
        end if;
    end loop;
    perform give_back_to_throttles(flow.buckets, flow.periods);
    if not p_makes_session then
        p_message.account_id := flow.account_id;
        perform enqueue(p_message);
        update flows f
           set proofs = p_proofs, state = p_state, sealed = p_sealed, revision = f.revision + 1, code_digest = p_next_code, tries = 0, foreign_tries = 0, expires_at = flow_end(f.created_at, p_limits),
               resend_after = now() + make_interval(secs => p_resend_seconds)
         where f.id = p_flow;
        outcome := 'next_step';
        return;
    end if;
    if origin.link_flow is not null then
        outcome := apply_link_flow(origin.link_flow, flow.account_id, p.client_id, p.id, p.request_id);
        if outcome is not null then
            return;
        end if;
    end if;
    delete from flows f where f.id = p_flow;
    if origin.session_id is not null then
        p.presented_session := origin.session_id;
    end if;
    -- A concurrent sign-in may have linked the identity with another id.
    perform make_session(p, flow.account_id, (select i.id from identities i
                                               where i.id = origin.identity_id and i.account_id = flow.account_id),
                         'signed_in', 'steps_done', null, p_proofs);
    -- After its successor exists, to which the sessions of apps belong from now on.
    if origin.session_id is not null then
        perform end_session(flow.account_id, p.presented_session, 'stepped_up', p.client_id, p.address, p.request_id, p.id);
    end if;
    if session_ends is not null then
        -- A step-up raises a session but doesn't extend it.
        update sessions s
           set expires_at = least(s.expires_at, session_ends), idle_expires_at = least(s.idle_expires_at, session_ends)
         where s.id = p.id;
    end if;
    outcome := 'signed_in';
end $$;
