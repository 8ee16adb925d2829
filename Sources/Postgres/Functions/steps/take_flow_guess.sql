-- Charges one answer to a flow (see flow_guess). `spent`: the account's hidden budget is used up. The caller returns
-- `buckets` for a right answer.
-- Locks: *take_from_throttles, *give_back_to_throttles. The account's bucket first: it sorts before the others.
create or replace function take_flow_guess(
    p_flow flows, p_limits flow_limits, p_mark bytea, p_address text,
    out wait double precision, out spent boolean, out buckets bytea[], out periods bigint[])
language plpgsql as $$
declare
    hidden bytea;
    bursts bigint[];
begin
    select g.hidden, g.buckets, g.bursts, g.periods into hidden, buckets, bursts, periods
      from flow_guess(p_flow, p_limits, p_mark, p_address) g;
    spent := hidden is not null and take_from_throttles(array[hidden], bursts[1:1], periods[1:1]) > 0;
    wait := take_from_throttles(buckets, bursts, periods);
    if hidden is not null and not spent then
        if wait > 0 then
            perform give_back_to_throttles(array[hidden], periods[1:1]);
        end if;
        buckets := hidden || buckets;
        periods := periods[1] || periods;
    end if;
end $$;
