-- Charges a sign-in whose provider does not prove the address that it names: to the network and to the address, whether or
-- not an account has the address. Answers how long to wait, in seconds (0: it was charged), and which of the accounts can be
-- proved by a sign-in; none of them where it was not charged.
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
      from unnest(p_accounts) a (id) where has_way_in(a.id, p_providers);
end $$;
