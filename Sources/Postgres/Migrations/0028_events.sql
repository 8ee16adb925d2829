-- Events for services of the operator's: what the audit log tells, queued in the transaction that seals its rows.

create table event_endpoints (
    id            uuid primary key,
    url           text not null,
    secret        bytea not null,           -- sealed
    former_secret bytea,                    -- sealed; signs beside the other until former_until
    former_until  timestamptz,
    types         text[] not null,          -- none: every type
    client_id     text references clients,  -- null: events of every app, and of none
    disabled_at   timestamptz,
    failing_since timestamptz,
    created_at    timestamptz not null default clock_timestamp()
);

-- A payload holds ids and codes only, so that a row may outlive its account: no foreign keys to people.
create table event_deliveries (
    number        bigint generated always as identity primary key,
    id            text not null unique,     -- the webhook-id: the same for each try
    endpoint_id   uuid not null references event_endpoints on delete cascade,
    event_id      bigint,                   -- the audit row; null for a test
    type          text not null,
    occurred_at   timestamptz not null,
    account_id    uuid,
    payload       jsonb not null,
    state         text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
    tries         integer not null default 0,
    not_before    timestamptz not null default now(),
    claimed_until timestamptz,
    give_up_at    timestamptz not null default now() + interval '3 days',
    last_status   integer,
    last_error    text,
    created_at    timestamptz not null default now(),
    settled_at    timestamptz
);
create index event_deliveries_due on event_deliveries (endpoint_id, not_before) where state = 'waiting';
create index event_deliveries_claimed on event_deliveries (endpoint_id, claimed_until) where claimed_until is not null;
create index event_deliveries_endpoint on event_deliveries (endpoint_id, number);
create index event_deliveries_settled on event_deliveries (settled_at) where settled_at is not null;

-- Queues what happened, for each enabled endpoint that wants it: an array of {event_id, type, at in microseconds,
-- account_id, client_id, data}. The id is made of what it names, so that nothing is queued twice.
create function queue_events(p_events jsonb) returns void language sql as $$
    insert into event_deliveries (id, endpoint_id, event_id, type, occurred_at, account_id, payload)
    select 'msg_' || left(encode(sha256(convert_to(n.id || ' ' || e.event_id || ' ' || e.type, 'UTF8')), 'hex'), 32),
           n.id, e.event_id, e.type, t.at, e.account_id,
           jsonb_build_object('type', e.type, 'data', e.data,
                              'timestamp', to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
      from jsonb_to_recordset(p_events) as e (event_id bigint, type text, at bigint, account_id uuid, client_id text, data jsonb)
     cross join lateral (select timestamptz 'epoch' + e.at * interval '1 microsecond' as at) t
      join event_endpoints n on n.disabled_at is null and n.created_at <= t.at
                            and (n.types = '{}' or e.type = any (n.types))
                            and (n.client_id is null or n.client_id = e.client_id)
     order by e.event_id
        on conflict (id) do nothing;
$$;

-- Takes what is due, so many of each endpoint at a time over all servers, so that none holds up another. A claim that
-- nobody settles comes back when its lease ends.
create function claim_events(p_each integer, p_lease integer)
returns table (number bigint, id text, tries integer, endpoint_id uuid, url text, secret bytea, former_secret bytea, payload text)
language sql as $$
    with due as materialized (
        select w.number
          from event_endpoints n
         cross join lateral (
                select d.number from event_deliveries d
                 where d.endpoint_id = n.id and d.state = 'waiting' and d.not_before <= now()
                 order by d.not_before
                 limit greatest(p_each - (select count(*) from event_deliveries c
                                           where c.endpoint_id = n.id and c.claimed_until > now()), 0)
                   for update skip locked) w
         where n.disabled_at is null)
    update event_deliveries d
       set tries = d.tries + 1, claimed_until = now() + make_interval(secs => p_lease), not_before = now() + make_interval(secs => p_lease)
      from due, event_endpoints n
     where d.number = due.number and n.id = d.endpoint_id
    returning d.number, d.id, d.tries, n.id, n.url, n.secret, case when n.former_until > now() then n.former_secret end, d.payload::text;
$$;

-- Writes down what became of a claim: delivered, failed, postponed (nothing was sent), or gone: the endpoint wants no more
-- and is disabled. A claim that was lost settles nothing.
create function settle_event(
    p_number bigint, p_tries integer, p_outcome text, p_status integer, p_error text, p_pause double precision)
returns void language plpgsql as $$
declare
    endpoint uuid;
begin
    update event_deliveries d
       set state = case when p_outcome = 'delivered' then 'delivered'
                        when p_outcome = 'gone' or now() >= d.give_up_at then 'dead' else 'waiting' end,
           settled_at = case when p_outcome in ('delivered', 'gone') or now() >= d.give_up_at then now() end,
           tries = d.tries - case p_outcome when 'postponed' then 1 else 0 end,
           not_before = least(now() + make_interval(secs => p_pause), greatest(d.give_up_at, now())),
           claimed_until = null, last_status = p_status, last_error = p_error
     where d.number = p_number and d.tries = p_tries and d.state = 'waiting'
    returning d.endpoint_id into endpoint;
    if endpoint is null or p_outcome = 'postponed' then
        return;
    end if;
    if p_outcome = 'delivered' then
        update event_endpoints set failing_since = null where id = endpoint and failing_since is not null;
    else
        update event_endpoints set failing_since = now() where id = endpoint and failing_since is null;
    end if;
    if p_outcome = 'gone' then
        update event_endpoints set disabled_at = now() where id = endpoint and disabled_at is null;
        if found then
            insert into audit_events (action, outcome, reason, detail)
            values ('event_endpoint_disabled', 'done', 'gone', jsonb_build_object('endpoint', endpoint));
        end if;
    end if;
end $$;

-- Gives up what a disabled endpoint left waiting beyond its time, and removes what was settled 30 days ago.
create function sweep_events(p_limit integer) returns integer language plpgsql as $$
declare
    removed integer;
begin
    update event_deliveries d set state = 'dead', settled_at = now(), last_error = 'endpoint_disabled'
      from event_endpoints n
     where n.id = d.endpoint_id and n.disabled_at is not null and d.state = 'waiting' and d.give_up_at < now()
       and coalesce(d.claimed_until, '-infinity') < now();
    delete from event_deliveries
     where number in (select number from event_deliveries where settled_at < now() - interval '30 days'
                       limit p_limit for update skip locked);
    get diagnostics removed = row_count;
    return removed;
end $$;

-- Has settled deliveries sent again, under their ids.
create function replay_events(p_endpoint uuid, p_id text, p_from timestamptz, p_to timestamptz) returns integer language plpgsql as $$
declare
    replayed integer;
begin
    update event_deliveries
       set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + interval '3 days', settled_at = null
     where state <> 'waiting' and (p_endpoint is null or endpoint_id = p_endpoint) and (p_id is null or id = p_id)
       and case when p_id is not null then true
                when p_from is null and p_to is null then state = 'dead'
                else occurred_at >= coalesce(p_from, '-infinity') and occurred_at < coalesce(p_to, 'infinity') end;
    get diagnostics replayed = row_count;
    return replayed;
end $$;
