-- Refunds the charges of an attempt that failed for technical reasons or came from a provider. For right answers of
-- users see give_back_after_right_answer.
-- Locks: throttles. In the order of their names.
create or replace function give_back_to_throttles(p_buckets bytea[], p_periods bigint[]) returns void language plpgsql as $$
declare
    slot record;
begin
    -- In the lock order of take_from_throttles, to rule out deadlocks.
    for slot in select b.bucket, b.period from unnest(p_buckets, p_periods) b (bucket, period) order by b.bucket loop
        update throttles set arrival = arrival - make_interval(secs => slot.period / 1000.0) where bucket = slot.bucket;
    end loop;
end $$;
