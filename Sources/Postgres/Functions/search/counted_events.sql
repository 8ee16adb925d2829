-- How often what happened from a moment on: the whole hours that were counted, the rows of the part of an hour before
-- them, and the rows that wait to be sealed. One statement sees each row on one side only; a row whose transaction is
-- committed after its neighbours were sealed is seen when it is sealed itself.
--
-- Orders and limits lead PostgreSQL to the indexes, which it can't know to be short ways; more rows than that wait in a
-- log of millions alone that was never sealed before.
create or replace function counted_events(p_from timestamptz)
returns table (hour timestamptz, action text, outcome text, provider text, reason text, count bigint) language sql stable as $$
    with bounds as materialized (
        select greatest(k.event_id, (select max(event_id) from audit_chain)) as sealed from audit_checkpoint k
    ), rows as (
        select w.at, w.action, w.outcome, w.provider, w.reason
          from bounds b cross join lateral (select * from audit_events where id > b.sealed order by id limit 100000) w
         where w.at >= p_from
        union all
        select f.at, f.action, f.outcome, f.provider, f.reason
          from bounds b cross join lateral (
               select * from audit_events
                where at >= p_from and at < date_trunc('hour', p_from + interval '59 minutes 59.999999 seconds', 'UTC')
                order by at, id limit 100000000) f
         where f.id <= b.sealed
    )
    select c.hour, c.action, c.outcome, c.provider, c.reason, c.count
      from audit_counts c where c.hour >= p_from
    union all
    select date_trunc('hour', r.at, 'UTC'), r.action, r.outcome, coalesce(r.provider, ''),
           case when r.outcome = 'refused' then coalesce(r.reason, '') else '' end, count(*)
      from rows r group by 1, 2, 3, 4, 5
$$;
