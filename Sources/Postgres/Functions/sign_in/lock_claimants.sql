-- Locks addresses or numbers that are about to be proved, and the accounts that may lose them with their sessions, in
-- order. Called before any flow is locked, because flows come after accounts.
-- Locks: advisory address, accounts (for update), *lock_sessions. Addresses and numbers in order, then accounts by id.
create or replace function lock_claimants(p_keys text[]) returns void language plpgsql as $$
begin
    perform pg_advisory_xact_lock(k.key) from (select distinct hashtextextended(x, 2) as key from unnest(p_keys) x order by 1) k;
    perform 1 from accounts
      where id in (select account_id from account_emails where address_key = any (p_keys) and proved_at is null
                   union all select account_id from account_phones where phone_key = any (p_keys) and proved_at is null)
      order by id for update;
    perform lock_sessions(array(select account_id from account_emails where address_key = any (p_keys) and proved_at is null));
end $$;
