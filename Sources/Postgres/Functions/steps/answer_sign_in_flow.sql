-- Answers a step. Wrong answers are counted for the caller's network (`p_askers`). The check is only a read, so
-- concurrent answers may exceed the limit by the number of connections.
-- Locks: *lose_try, *apply_sign_in_answer, *charge_wrong_answer.
-- Outcomes: wait, *apply_sign_in_answer
create or replace function answer_sign_in_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_limits flow_limits, p_effects jsonb,
    p_state jsonb, p_sealed bytea, p_next_code bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_proofs jsonb, p_makes_session boolean, p session_request, p_mark bytea,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[],
    out outcome text, out tries_left integer, out wait double precision,
    out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        perform lose_try(p_flow, p_revision, p_mark, p.address);
        return;
    end if;
    select a.outcome, a.tries_left, a.wait, a.display_name, a.email, a.email_proved, a.account_created
      into outcome, tries_left, wait, display_name, email, email_proved, account_created
      from apply_sign_in_answer(p_flow, p_revision, p_right, p_code_digest, p_limits, p_effects, p_state, p_sealed, p_next_code,
                               p_resend_seconds, p_message, p_buckets, p_bursts, p_periods, p_proofs, p_makes_session, p, p_mark) a;
    perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
end $$;
