-- Charges a wrong answer to the caller's network after it was judged. Right answers are neither charged nor delayed,
-- and answers to expired flows reveal nothing. Concurrent answers never extend the wait beyond that of a full bucket.
-- This is the last lock of a transaction, which rules out deadlocks.
-- Locks: throttles. In the order of their names.
create or replace function charge_wrong_answer(
    p_outcome text, p_tries_left integer, p_buckets bytea[], p_bursts bigint[], p_periods bigint[]) returns void
language plpgsql as $$
declare
    slot record;
begin
    if p_tries_left is null or p_outcome is null or p_outcome not in ('code_wrong', 'too_many_tries') then
        return;
    end if;
    for slot in
        select b.bucket, make_interval(secs => b.period / 1000.0) period, make_interval(secs => b.period * b.burst / 1000.0) whole
          from unnest(p_buckets, p_bursts, p_periods) b (bucket, burst, period) order by b.bucket
    loop
        insert into throttles as t (bucket, arrival) values (slot.bucket, now() + slot.period)
        on conflict (bucket) do update set arrival = least(greatest(t.arrival, now()) + slot.period, now() + slot.whole);
    end loop;
end $$;
