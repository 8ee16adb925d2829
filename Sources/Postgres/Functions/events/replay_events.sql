-- Queues settled deliveries again with the same ids: one delivery, or a period, of one endpoint or all.
-- Locks: event_deliveries.
create or replace function replay_events(p_endpoint uuid, p_id text, p_from timestamptz, p_to timestamptz, p_life_seconds integer)
returns integer language plpgsql as $$
declare
    endpoints constant uuid[] := array(
        select n.id from event_endpoints n where n.removed_at is null and (p_endpoint is null or n.id = p_endpoint));
    replayed integer;
begin
    if p_id is not null then
        update event_deliveries
           set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + make_interval(secs => p_life_seconds), settled_at = null
         where id = p_id and state <> 'waiting' and endpoint_id = any (endpoints);
    elsif p_from is null and p_to is null then
        update event_deliveries
           set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + make_interval(secs => p_life_seconds), settled_at = null
         where state = 'dead' and endpoint_id = any (endpoints);
    else
        update event_deliveries
           set state = 'waiting', tries = 0, not_before = now(), give_up_at = now() + make_interval(secs => p_life_seconds), settled_at = null
         where state <> 'waiting' and endpoint_id = any (endpoints)
           and occurred_at >= coalesce(p_from, '-infinity') and occurred_at < coalesce(p_to, 'infinity');
    end if;
    get diagnostics replayed = row_count;
    return replayed;
end $$;
