-- Refunds the charges of a right answer to buckets that are more than half used. So right answers never use up the
-- rest, and most of them write to a bucket once.
-- Locks: throttles. In the order of their names. Only buckets of which more than half is used are written.
create or replace function give_back_after_right_answer(p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns void
language plpgsql as $$
declare
    slot record;
begin
    for slot in
        select b.bucket, make_interval(secs => b.period / 1000.0) period, make_interval(secs => b.period * b.burst / 2000.0) half
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) order by b.bucket
    loop
        update throttles t set arrival = t.arrival - slot.period where t.bucket = slot.bucket and t.arrival > now() + slot.half;
    end loop;
end $$;
