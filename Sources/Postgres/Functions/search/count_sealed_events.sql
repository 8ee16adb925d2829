-- Counts with each batch of the sealer, in its transaction, whichever version of the server seals: a row is sealed once,
-- so it is counted once, in its own hour however late it came. The role that seals may not write here.
create or replace function count_sealed_events() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
    insert into audit_counts as c (hour, action, outcome, provider, reason, count)
    select date_trunc('hour', e.at, 'UTC'), e.action, e.outcome, coalesce(e.provider, ''),
           case when e.outcome = 'refused' then coalesce(e.reason, '') else '' end, count(*)
      from sealed s join audit_events e on e.id = s.event_id and e.at = s.at
     group by 1, 2, 3, 4, 5
        on conflict (hour, action, outcome, provider, reason) do update set count = c.count + excluded.count;
    return null;
end $$;
