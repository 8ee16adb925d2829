-- Takes one attempt from each bucket, or from none (GCRA). Returns 0, or the seconds to wait. Periods are in
-- milliseconds. One statement checks and charges, one write per bucket, and writes nothing if a bucket is empty.
-- Concurrent attempts wait for each other at their first common bucket and see each other's charges. An attempt that
-- finds a bucket emptied while it waited refunds its other charges, which no one has seen because its buckets are still
-- locked. No bucket may appear twice.
-- Locks: throttles. In the order of their names; none where one is empty from the start.
create or replace function take_from_throttles(p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns double precision
language plpgsql as $$
declare
    taken bytea[];
begin
    with price as (
        select b.bucket, make_interval(secs => b.period / 1000.0) period
          from unnest(p_buckets, p_periods) b (bucket, period)
         where wait_for_throttles(p_buckets, p_bursts, p_periods) <= 0 order by b.bucket
    ), paid as (
        insert into throttles as t (bucket, arrival) select p.bucket, now() + p.period from price p
        on conflict (bucket) do update
           set arrival = greatest(t.arrival, now())
                         + make_interval(secs => p_periods[array_position(p_buckets, t.bucket)] / 1000.0)
         where t.arrival <= now() + make_interval(secs => p_periods[array_position(p_buckets, t.bucket)]
                                                          * (p_bursts[array_position(p_buckets, t.bucket)] - 1) / 1000.0)
        returning bucket
    )
    select array_agg(p.bucket) into taken from paid p;
    if coalesce(cardinality(taken), 0) = cardinality(p_buckets) then
        return 0;
    end if;
    if taken is not null then
        update throttles t set arrival = t.arrival - make_interval(secs => b.period / 1000.0)
          from unnest(p_buckets, p_periods) b (bucket, period) where t.bucket = b.bucket and t.bucket = any (taken);
    end if;
    -- The empty bucket may have been refunded since. The next attempt sees that.
    return greatest(wait_for_throttles(p_buckets, p_bursts, p_periods), 0.001);
end $$;
