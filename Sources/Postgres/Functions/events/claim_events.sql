-- Leases due deliveries, a limited number per endpoint over all servers, so that no endpoint delays another. An
-- unsettled delivery becomes free when its lease ends. Skips the endpoints in `p_except` unless their URL differs from
-- `p_except_urls`: an endpoint with a new URL is tried immediately.
-- Locks: event_deliveries (for update skip locked).
create or replace function claim_events(p_each integer, p_lease integer, p_except uuid[], p_except_urls text[])
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
