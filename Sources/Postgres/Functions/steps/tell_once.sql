-- Writes a message, unless its bucket is empty; null writes nothing and takes from the bucket all the same. One that came back
-- has told nobody: it is written again. `first`: the bucket had room, so that this was not told before today.
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
