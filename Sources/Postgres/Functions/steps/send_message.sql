-- Charges a message and stores it, if there is one; unknown names cost the same. Returns the seconds to wait; above 0
-- nothing was stored.
-- Locks: *take_from_throttles.
create or replace function send_message(p_message outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[], p_account uuid)
returns double precision language plpgsql as $$
declare
    wait double precision;
begin
    if p_buckets = '{}' then
        return 0;
    end if;
    wait := take_from_throttles(p_buckets, p_bursts, p_periods);
    if wait <= 0 then
        p_message.account_id := p_account;
        perform enqueue(p_message);
    end if;
    return wait;
end $$;
