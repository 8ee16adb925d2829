-- Gives up expired deliveries of disabled endpoints, deletes deliveries settled `p_kept_seconds` ago, and deletes the
-- deliveries of removed endpoints, a limited number of each. Returns the largest of the three counts, so that the
-- caller knows whether to continue.
-- Locks: event_deliveries (for update skip locked), event_endpoints.
create or replace function sweep_events(p_limit integer, p_kept_seconds integer) returns integer language plpgsql as $$
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
     where number = any (array(select number from event_deliveries where settled_at < now() - make_interval(secs => p_kept_seconds)
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
