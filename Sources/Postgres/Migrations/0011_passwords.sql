-- Takes one from each bucket or from none (GCRA): 0, or the seconds to wait. Periods are in milliseconds. Buckets are locked in order.
create function take_from_throttles(p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns double precision
language plpgsql as $$
declare
    slot record;
    wait double precision := 0;
    allowed timestamptz;
begin
    for slot in
        select b.bucket, b.burst, b.period
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) order by b.bucket
    loop
        insert into throttles as t (bucket, arrival) values (slot.bucket, now())
        on conflict (bucket) do update set arrival = greatest(t.arrival, now())
        returning t.arrival - make_interval(secs => slot.period * (slot.burst - 1) / 1000.0) into allowed;
        wait := greatest(wait, extract(epoch from allowed - now()));
    end loop;
    if wait > 0 then
        return wait;
    end if;
    update throttles t set arrival = t.arrival + make_interval(secs => b.period / 1000.0)
      from unnest(p_buckets, p_periods) b (bucket, period) where t.bucket = b.bucket;
    return 0;
end $$;

-- Gives back what an attempt took, once it turned out to be the right person.
create function give_back_to_throttles(p_buckets bytea[], p_periods bigint[]) returns void language plpgsql as $$
declare
    slot record;
begin
    -- In the order in which they are taken: two attempts never wait for each other.
    for slot in select b.bucket, b.period from unnest(p_buckets, p_periods) b (bucket, period) order by b.bucket loop
        update throttles set arrival = arrival - make_interval(secs => slot.period / 1000.0) where bucket = slot.bucket;
    end loop;
end $$;

-- What a password attempt needs to know, and its price. Unknown and disabled accounts answer in the same shape.
create function begin_password_sign_in(
    p_address_key text, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out wait double precision, out account_id uuid, out status text, out hash text)
language plpgsql as $$
begin
    wait := take_from_throttles(p_buckets, p_bursts, p_periods);
    if wait > 0 then
        return;
    end if;
    select a.id, a.status, w.hash into account_id, status, hash
      from account_emails e
      join accounts a on a.id = e.account_id
      join passwords w on w.account_id = a.id
     where e.address_key = p_address_key and e.proved_at is not null;
end $$;

-- The password was right: sign in, if nothing changed since it was read. Outcomes: signed_in, changed, or what
-- apply_link_flow refused with.
create function finish_password_sign_in(
    p_account uuid, p_hash text, p_new_hash text, p_buckets bytea[], p_periods bigint[], p_link_flow uuid, p session_request,
    out outcome text, out display_name text, out email text, out email_proved boolean, out account_created timestamptz)
language plpgsql as $$
begin
    select a.display_name, a.created_at, e.address, e.proved_at is not null into display_name, account_created, email, email_proved
      from accounts a
      join passwords w on w.account_id = a.id and w.hash = p_hash
      left join account_emails e on e.account_id = a.id and e.is_main
     where a.id = p_account and a.status = 'active' for key share of a;
    if not found then
        outcome := 'changed';
        return;
    end if;
    if p_link_flow is not null then
        outcome := apply_link_flow(p_link_flow, p_account, (p).client_id, (p).id, (p).request_id);
        if outcome is not null then
            return;
        end if;
    end if;
    if p_new_hash is not null then
        update passwords set hash = p_new_hash where account_id = p_account and hash = p_hash;
    end if;
    perform give_back_to_throttles(p_buckets, p_periods);
    perform start_session(p, p_account, null, 'signed_in', 'password', null);
    outcome := 'signed_in';
end $$;

-- Keeps a sign-up until its code comes back. `known` says that the address has an account already: the flow then
-- exists and looks the same, and no code opens it.
create function begin_sign_up(
    p_flow uuid, p_client text, p_address_key text, p_state jsonb, p_code_digest bytea, p_resend_seconds integer, p_seconds integer,
    p_address text, p_request text,
    out known boolean)
language plpgsql as $$
begin
    known := exists (select from account_emails e where e.address_key = p_address_key and e.proved_at is not null);
    insert into flows (id, kind, client_id, address_key, state, code_digest, resend_after, expires_at)
    values (p_flow, 'sign_up', p_client, p_address_key, p_state, case when not known then p_code_digest end,
            now() + make_interval(secs => p_resend_seconds), now() + make_interval(secs => p_seconds));
    insert into audit_events (action, outcome, reason, client_id, address, request_id, detail)
    values ('sign_up_started', 'done', case when known then 'address_known' end, p_client, p_address, p_request,
            jsonb_build_object('flow', p_flow));
end $$;

-- A new code for a sign-up. Outcomes: sent, known (send the other mail), wait, flow_expired, too_many_resends.
create function renew_sign_up_code(
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

-- The code came back: the account is made and signed in. Outcomes: signed_in, code_wrong (with the tries left),
-- too_many_tries, flow_expired, wait.
create function confirm_sign_up(
    p_flow uuid, p_code_digest bytea, p_most_tries integer, p_account uuid, p session_request,
    out outcome text, out tries_left integer, out wait double precision, out display_name text, out email text, out account_created timestamptz)
language plpgsql as $$
declare
    flow record;
    taken boolean;
begin
    -- The mailbox is locked before its flow: whoever confirms deletes the mailbox's other flows too.
    perform pg_advisory_xact_lock(hashtextextended(f.address_key, 2)) from flows f where f.id = p_flow and f.kind = 'sign_up';
    select f.* into flow from flows f
     where f.id = p_flow and f.kind = 'sign_up' and f.client_id = (p).client_id and f.expires_at > now() for update;
    if not found then
        outcome := 'flow_expired';
        return;
    end if;
    -- Guesses are counted by mailbox too, across flows and resends: twenty at once, then one in three minutes.
    wait := take_from_throttles(array[decode(flow.state->>'guess_bucket', 'hex')], array[20::bigint], array[180000::bigint]);
    if wait > 0 then
        outcome := 'wait';
        return;
    end if;
    if flow.tries >= p_most_tries then
        outcome := 'too_many_tries';
        return;
    end if;
    taken := exists (select from account_emails e where e.address_key = flow.address_key and e.proved_at is not null);
    if flow.code_digest is distinct from p_code_digest or taken then
        update flows f set tries = f.tries + 1 where f.id = p_flow;
        tries_left := p_most_tries - flow.tries - 1;
        outcome := case when tries_left > 0 then 'code_wrong' else 'too_many_tries' end;
        return;
    end if;
    account_created := now();
    display_name := flow.state->>'display_name';
    email := flow.state->>'address';
    insert into accounts (id, display_name, created_at) values (p_account, display_name, account_created);
    perform clear_unproved_claims(flow.address_key, p_account, (p).client_id, (p).request_id);
    insert into account_emails (account_id, address_key, address, source, proved_at)
    values (p_account, flow.address_key, email, 'person', now());
    insert into passwords (account_id, hash) values (p_account, flow.state->>'password_hash');
    perform start_session(p, p_account, null, 'account_created', 'sign_up', null);
    outcome := 'signed_in';
end $$;

-- An account by an operator's hand.
create function create_password_account(p_account uuid, p_address text, p_address_key text, p_display_name text, p_hash text, p_request text)
returns text language plpgsql as $$
begin
    perform pg_advisory_xact_lock(hashtextextended(p_address_key, 2));
    if exists (select from account_emails where address_key = p_address_key and proved_at is not null) then
        return 'email_in_use';
    end if;
    insert into accounts (id, display_name) values (p_account, p_display_name);
    perform clear_unproved_claims(p_address_key, p_account, null, p_request);
    insert into account_emails (account_id, address_key, address, source, proved_at)
    values (p_account, p_address_key, p_address, 'operator', now());
    if p_hash is not null then
        insert into passwords (account_id, hash) values (p_account, p_hash);
    end if;
    insert into audit_events (action, outcome, reason, account_id, request_id) values ('account_created', 'done', 'operator', p_account, p_request);
    return 'created';
end $$;
