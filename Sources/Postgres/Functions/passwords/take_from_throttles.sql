-- Takes one from each bucket or from none (GCRA): 0, or the seconds to wait. Periods are in milliseconds. Buckets are locked in order.
-- Locks: the throttles in order.
create or replace function take_from_throttles(p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns double precision
language plpgsql as $$
declare
    slot record;
    wait double precision := 0;
    allowed timestamptz;
begin
    for slot in
        select b.bucket, b.burst, b.period
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) order by b.bucket
    loop
        insert into throttles as t (bucket, arrival) values (slot.bucket, now())
        on conflict (bucket) do update set arrival = greatest(t.arrival, now())
        returning t.arrival - make_interval(secs => slot.period * (slot.burst - 1) / 1000.0) into allowed;
        wait := greatest(wait, extract(epoch from allowed - now()));
    end loop;
    if wait > 0 then
        return wait;
    end if;
    update throttles t set arrival = t.arrival + make_interval(secs => b.period / 1000.0)
      from unnest(p_buckets, p_periods) b (bucket, period) where t.bucket = b.bucket;
    return 0;
end $$;
