-- The seconds that take_from_throttles would return; charges and locks nothing.
-- Locks: none
create or replace function wait_for_throttles(p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns double precision
language plpgsql stable as $$
begin
    return coalesce((
        select greatest(max(extract(epoch from t.arrival - make_interval(secs => b.period * (b.burst - 1) / 1000.0) - now())), 0)
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) join throttles t on t.bucket = b.bucket), 0);
end $$;
