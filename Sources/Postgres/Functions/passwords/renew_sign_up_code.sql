-- Sends another code for a sign-up, or notifies the owner of the address that an account exists. Both cost the same and
-- are charged only when a new code is due.
-- Locks: *renew_sign_up_flow, *take_from_throttles.
-- Outcomes: throttled, *renew_sign_up_flow
create or replace function renew_sign_up_code(
    p_flow uuid, p_code_digest bytea, p_resend_seconds integer, p_most_resends integer, p_address text, p_request text,
    p_code outgoing_message, p_account_exists outgoing_message, p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out outcome text, out wait double precision)
language plpgsql as $$
begin
    select r.outcome, r.wait into outcome, wait
      from renew_sign_up_flow(p_flow, p_code_digest, p_resend_seconds, p_most_resends, p_address, p_request) r;
    if outcome in ('sent', 'known') and p_buckets <> '{}' then
        wait := take_from_throttles(p_buckets, p_bursts, p_periods);
        if wait > 0 then
            raise exception 'throttled' using errcode = 'LG003';
        end if;
    end if;
    perform enqueue(case outcome when 'sent' then p_code when 'known' then p_account_exists end);
exception when sqlstate 'LG003' then
    outcome := 'throttled';   -- the changes above are rolled back
end $$;
