-- A new code for a sign-up. Outcomes: sent, known (send the other mail), wait, flow_expired, too_many_resends.
create or replace function renew_sign_up_code(
    p_flow uuid, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer, p_address text, p_request text,
    out outcome text, out wait double precision, out state jsonb)
language plpgsql as $$
declare
    flow record;
begin
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    if flow.resends >= p_most_resends then
        outcome := 'too_many_resends';
        return;
    end if;
    wait := extract(epoch from flow.resend_after - now());
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    wait := 0;
    state := flow.state;
    outcome := case when flow.code_digest is null then 'known' else 'sent' end;
    update flows f
       set code_digest = case when f.code_digest is not null then p_code_digest end, tries = 0, resends = f.resends + 1,
           resend_after = now() + make_interval(secs => p_resend_seconds)
     where f.id = p_flow;
    insert into audit_events (action, outcome, client_id, address, request_id, detail)
    values ('code_resent', 'done', flow.client_id, p_address, p_request, jsonb_build_object('flow', p_flow));
end $$;

-- Another code for a sign-up, and its message in one: the code, or word of the account for whoever has one. It is paid for
-- once it is time for it; both cost the same. One outcome more: throttled, and nothing was changed.
create or replace function renew_sign_up_code(
    p_flow uuid, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer, p_address text, p_request text,
    p_code outgoing_message, p_account_exists outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    select r.outcome, r.wait into outcome, wait
      from renew_sign_up_code(p_flow, p_code_digest, p_resend_seconds, p_most_resends, p_address, p_request) r;
    if outcome in ('sent', 'known') and p_buckets <> '{}' then
        wait := take_from_throttles(p_buckets, p_bursts, p_periods);
        if wait > 0 then
            raise exception 'throttled' using errcode = 'LG003';
        end if;
    end if;
    perform enqueue(case outcome when 'sent' then p_code when 'known' then p_account_exists end);
exception when sqlstate 'LG003' then
    outcome := 'throttled';   -- what was done above is undone
end $$;
