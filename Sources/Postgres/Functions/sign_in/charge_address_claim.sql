-- Charges a sign-in with an unproved address to the network and the address, whether or not the address has an account.
-- Returns the seconds to wait (0: charged) and the accounts that a sign-in can prove; none unless charged.
-- Locks: *take_from_throttles.
create or replace function charge_address_claim(
    p_accounts uuid[], p_providers text[], p_buckets bytea[], p_bursts bigint[], p_periods bigint[],
    out wait double precision, out provable uuid[])
language plpgsql as $$
begin
    provable := '{}';
    wait := take_from_throttles(p_buckets, p_bursts, p_periods);
    if wait > 0 then
        return;
    end if;
    select coalesce(array_agg(a.id), '{}') into provable
      from unnest(p_accounts) a (id) where has_sign_in_method(a.id, p_providers);
end $$;
