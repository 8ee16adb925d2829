-- Stores a message unless its bucket is empty; null stores nothing and is charged too. A message that bounced is stored
-- again. `first`: the bucket had room, so the address was not notified today.
-- Locks: *take_from_throttles.
create or replace function tell_once(
    p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], out first boolean, out written boolean)
language plpgsql as $$
begin
    first := take_from_throttles(p_buckets, p_bursts, p_periods) <= 0;
    written := p_message.id is not null and (first or newest_bounced(p_message.medium, p_message.address));
    if written then
        perform enqueue(p_message);
    end if;
end $$;
