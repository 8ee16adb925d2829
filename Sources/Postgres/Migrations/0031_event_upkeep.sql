-- Event endpoints that go piece by piece, and deliveries that were given up found by an index.

-- When an operator removed it: from then on nobody sees it and nothing is told to it, and the sweep takes its deliveries
-- and then itself. It is disabled too, which is what servers of the version before look at.
alter table event_endpoints
    add column removed_at timestamptz,
    add constraint event_endpoints_removed check (removed_at is null or disabled_at is not null);

create index event_deliveries_dead on event_deliveries (endpoint_id, number) where state = 'dead';

-- As in 0028, but for the endpoints that the asking server leaves alone, each with the address that it knows of: who gets
-- another one is tried there at once. The function of two arguments is that of the version before.
create function claim_events(p_each integer, p_lease integer, p_except uuid[], p_except_urls text[])
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
         where n.disabled_at is null
           and not exists (select from unnest(p_except, p_except_urls) x (id, url) where x.id = n.id and x.url = n.url))
    update event_deliveries d
       set tries = d.tries + 1, claimed_until = now() + make_interval(secs => p_lease), not_before = now() + make_interval(secs => p_lease)
      from due, event_endpoints n
     where d.number = due.number and n.id = d.endpoint_id
    returning d.number, d.id, d.tries, n.id, n.url, n.secret, case when n.former_until > now() then n.former_secret end, d.payload::text;
$$;

-- Gives up what a disabled endpoint left waiting beyond its time, removes what was settled 30 days ago, and what removed
-- endpoints left: so many of each. Answers with the most of them, so that whoever asks knows whether to ask again.
create or replace function sweep_events(p_limit integer) returns integer language plpgsql as $$
declare
    given_up integer;
    settled integer;
    removed integer;
begin
    update event_deliveries set state = 'dead', settled_at = now(), last_error = 'endpoint_disabled'
     where number = any (array(
        select w.number
          from event_endpoints n
         cross join lateral (
                select d.number from event_deliveries d
                 where d.endpoint_id = n.id and d.state = 'waiting' and d.give_up_at < now()
                   and coalesce(d.claimed_until, '-infinity') < now()
                 limit p_limit for update skip locked) w
         where n.disabled_at is not null and n.removed_at is null
         limit p_limit));
    get diagnostics given_up = row_count;
    delete from event_deliveries
     where number = any (array(select number from event_deliveries where settled_at < now() - interval '30 days'
                                limit p_limit for update skip locked));
    get diagnostics settled = row_count;
    delete from event_deliveries
     where number = any (array(
        select w.number
          from event_endpoints n
         cross join lateral (
                select d.number from event_deliveries d where d.endpoint_id = n.id limit p_limit for update skip locked) w
         where n.removed_at is not null
         limit p_limit));
    get diagnostics removed = row_count;
    delete from event_endpoints n
     where n.removed_at is not null and not exists (select from event_deliveries d where d.endpoint_id = n.id);
    return greatest(given_up, settled, removed);
end $$;

-- As in 0028, each way by an index of its own.
create or replace function replay_events(p_endpoint uuid, p_id text, p_from timestamptz, p_to timestamptz)
returns integer language plpgsql as $$
declare
    endpoints constant uuid[] := array(
        select n.id from event_endpoints n where n.removed_at is null and (p_endpoint is null or n.id = p_endpoint));
    replayed integer;
begin
    if p_id is not null then
        update event_deliveries
           set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + interval '3 days', settled_at = null
         where id = p_id and state <> 'waiting' and endpoint_id = any (endpoints);
    elsif p_from is null and p_to is null then
        update event_deliveries
           set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + interval '3 days', settled_at = null
         where state = 'dead' and endpoint_id = any (endpoints);
    else
        update event_deliveries
           set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + interval '3 days', settled_at = null
         where state <> 'waiting' and endpoint_id = any (endpoints)
           and occurred_at >= coalesce(p_from, '-infinity') and occurred_at < coalesce(p_to, 'infinity');
    end if;
    get diagnostics replayed = row_count;
    return replayed;
end $$;
