-- The number of events since a time: the counted whole hours, the events of the partial first hour, and the unsealed
-- events. One statement sees each event exactly once.
--
-- The order and the limit make PostgreSQL use the index; it can't estimate how few rows match.
-- The outcome is a text in both parts: with two types PostgreSQL would filter after the union, expect too few rows, and sort.
-- Locks: none
create or replace function counted_events(p_from timestamptz)
returns table (hour timestamptz, action text, outcome text, provider text, reason text, count bigint) language sql stable as $$
    with rows as (
        select w.at, w.action, w.outcome::text, w.provider, w.reason from audit_inbox w where w.at >= p_from
        union all
        select f.at, f.action, f.outcome::text, f.provider, f.reason
          from (select * from audit_sealed
                 where at >= p_from and at < date_trunc('hour', p_from + interval '59 minutes 59.999999 seconds', 'UTC')
                 order by at, id limit 100000000) f
    )
    select c.hour, c.action, c.outcome, c.provider, c.reason, c.count
      from audit_counts c where c.hour >= p_from
    union all
    select date_trunc('hour', r.at, 'UTC'), r.action, r.outcome, coalesce(r.provider, ''),
           case when r.outcome = 'refused' then coalesce(r.reason, '') else '' end, count(*)
      from rows r group by 1, 2, 3, 4, 5
$$;
