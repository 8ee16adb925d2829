-- How often what happened from a moment on: the whole hours that were counted, the events of the part of an hour before
-- them, and the events that wait to be sealed. One statement sees each event on one side only.
--
-- The order and the limit lead PostgreSQL to the index, which it can't know to be a short way. The outcome is a text on both
-- sides: with two types, a reader's conditions stay above the union, where PostgreSQL expects too few rows and sorts them.
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
