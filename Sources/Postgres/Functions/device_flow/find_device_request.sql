-- Finds the request of a device by the digest of the code that a user typed. Every guess is charged before the code is
-- looked up, and a right one is refunded like every right answer. An answered and an expired request are unknown.
-- Locks: *take_from_throttles, *give_back_after_right_answer.
create or replace function find_device_request(
    p_digest bytea, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], out wait double precision, out id uuid)
language plpgsql as $$
begin
    wait := take_from_throttles(p_buckets, p_bursts, p_periods);
    if wait > 0 then
        return;
    end if;
    select d.id into id from device_requests d
     where d.user_code_digest = p_digest and d.state = 'pending' and d.expires_at > now();
    if found then
        perform give_back_after_right_answer(p_buckets, p_bursts, p_periods);
    end if;
end $$;
