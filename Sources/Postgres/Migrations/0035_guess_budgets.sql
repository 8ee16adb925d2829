-- Guesses that were not paid for count against their flow, and wrong ones against where they come from.

-- As in 0016; an answer to a sign-in that finds no guess left uses up a try of its flow. People are refused before they
-- get here (StepContext), so these are many answers at once, and what one of them costs before it comes here may show
-- in its time what it is: so many of them end the flow.
create or replace function judge_flow_answer(
    p_flow uuid, p_kind text, p_client text, p_revision integer, p_right boolean, p_code_digest bytea, p_most_tries integer,
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
    wait := take_from_throttles(bucket, array[20::bigint], array[180000::bigint]);
    if wait > 0 then
        outcome := 'wait';
        perform lose_try(p_flow, p_revision);
        return;
    end if;
    if flow.tries >= p_most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    if not coalesce(p_right, flow.code_digest is not null and flow.code_digest = p_code_digest) or account_id is null then
        select f.outcome, f.tries_left into outcome, tries_left from fail_flow_answer(p_flow, p_most_tries) f;
    end if;
end $$;

-- Uses up a try of a sign-in without a judgement. A flow of a session's own compares its code here alone, and keeps it.
create function lose_try(p_flow uuid, p_revision integer) returns void language sql as $$
    update flows set tries = least(tries + 1, 1000) where id = p_flow and revision = p_revision and kind = 'sign_in';
$$;

-- How long take_from_throttles would have to wait, in seconds; takes nothing and locks nothing.
create function wait_for_throttles(p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns double precision
language plpgsql stable as $$
begin
    return coalesce((
        select greatest(max(extract(epoch from t.arrival - make_interval(secs => b.period * (b.burst - 1) / 1000.0) - now())), 0)
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) join throttles t on t.bucket = b.bucket), 0);
end $$;

-- Charges a wrong answer to where it comes from, once it was judged and is known to be wrong: a right one neither pays nor
-- waits for others of its network, and one to a flow that was over told nothing. However many come at once, the network
-- waits no longer than from a full bucket. Behind a flow's row and its guess bucket, and nothing is locked after it:
-- nobody waits in a circle.
create function charge_wrong_answer(
    p_outcome text, p_tries_left integer, p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns void
language plpgsql as $$
declare
    slot record;
begin
    if p_tries_left is null or p_outcome is null or p_outcome not in ('code_wrong', 'too_many_tries') then
        return;
    end if;
    for slot in
        select b.bucket, make_interval(secs => b.period / 1000.0) period, make_interval(secs => b.period * b.burst / 1000.0) whole
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) order by b.bucket
    loop
        insert into throttles as t (bucket, arrival) values (slot.bucket, now() + slot.period)
        on conflict (bucket) do update set arrival = least(greatest(t.arrival, now()) + slot.period, now() + slot.whole);
    end loop;
end $$;

-- The answer to a step, of somebody at an address whose wrong answers are counted. The check is a read, so that answers
-- at once may come to as many more as there are connections.
create function answer_sign_in_flow(
    p_flow uuid, p_revision integer, p_right boolean, p_code_digest bytea, p_most_tries integer, p_effects jsonb,
    p_state jsonb, p_next_code bytea, p_resend_seconds integer,
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    p_proofs jsonb, p_makes_session boolean, p session_request,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[],
    out outcome text, out tries_left integer, out wait double precision,
    out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        perform lose_try(p_flow, p_revision);
        return;
    end if;
    select a.outcome, a.tries_left, a.wait, a.display_name, a.email, a.email_proved, a.account_created
      into outcome, tries_left, wait, display_name, email, email_proved, account_created
      from answer_sign_in_flow(p_flow, p_revision, p_right, p_code_digest, p_most_tries, p_effects, p_state, p_next_code,
                               p_resend_seconds, p_message, p_buckets, p_bursts, p_periods, p_proofs, p_makes_session, p) a;
    perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
end $$;

-- The same for the code of a sign-up.
create function confirm_sign_up(
    p_flow uuid, p_code_digest bytea, p_most_tries integer, p_account uuid, p session_request, p_gate jsonb,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[],
    out outcome text, out tries_left integer, out wait double precision, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    select c.outcome, c.tries_left, c.wait, c.display_name, c.email, c.account_created
      into outcome, tries_left, wait, display_name, email, account_created
      from confirm_sign_up(p_flow, p_code_digest, p_most_tries, p_account, p, p_gate) c;
    perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
end $$;

-- The same for an address or number that is being added.
create function confirm_address(
    p_flow uuid, p_revision integer, p_code_digest bytea, p_most_tries integer, p_kind text, p_text text, p_key text,
    p_account uuid, p_session uuid, p_client text, p_address text, p_request text,
    p_askers bytea[], p_asker_bursts bigint[], p_asker_periods bigint[],
    out outcome text, out tries_left integer, out wait double precision)
language plpgsql as $$
begin
    wait := wait_for_throttles(p_askers, p_asker_bursts, p_asker_periods);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    select c.outcome, c.tries_left, c.wait into outcome, tries_left, wait
      from confirm_address(p_flow, p_revision, p_code_digest, p_most_tries, p_kind, p_text, p_key, p_account, p_session,
                           p_client, p_address, p_request) c;
    perform charge_wrong_answer(outcome, tries_left, p_askers, p_asker_bursts, p_asker_periods);
end $$;
